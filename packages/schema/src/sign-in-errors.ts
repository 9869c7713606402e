/** The part of the catalogue about signing in at another provider; see `errorCatalogue`. */
export const signInErrors = {
  "sign-in-expired": {
    status: 403,
    title: "Sign-in expired",
    message:
      "This sign-in took longer than 10 minutes, was completed before, or began in another browser. Start again on the sign-in page.",
  },
  "sign-in-cancelled": {
    status: 403,
    title: "Sign-in refused by the provider",
    message: "{provider} ended the sign-in with the code {code}. Try again, or ask who manages your accounts there.",
  },
  "sign-in-answer-refused": {
    status: 403,
    title: "Answer of the provider refused",
    message: "The answer of {provider} was refused: {reason}. Start again; if it happens again, tell an admin.",
  },
  "sign-in-provider-unavailable": {
    status: 503,
    title: "Provider does not answer",
    message: "{provider} cannot be used now: {reason}. Try again, or sign in another way.",
    retryable: true,
  },
  "sign-in-no-account": {
    status: 403,
    title: "No account",
    message:
      "{provider} knows you, but you have no account here. An owner or admin of this installation can invite you.",
  },
  "sign-in-no-email": {
    status: 403,
    title: "No verified e-mail address",
    message:
      "{provider} names no e-mail address that it has verified, which a new account needs. Verify your address there, or ask an owner or admin to invite you.",
  },
  "sign-in-email-taken": {
    status: 403,
    title: "Address already has an account",
    message:
      "Your e-mail address already has an account here. Sign in to it as before, and connect {provider} under Settings.",
  },
  "sign-in-no-role": {
    status: 403,
    title: "No role",
    message: "{provider} gives you no role here: you are in none of the groups that have one. Ask an owner or admin.",
  },
  "identity-connected-elsewhere": {
    status: 409,
    title: "Already connected",
    message:
      "This account of {provider} is connected with another account here. Disconnect it there first, or choose another one.",
  },
} as const;
