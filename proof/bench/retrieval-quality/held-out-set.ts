import type { QuestionSet } from "./question-set.ts";

/**
 * Another product that does not exist, a system for bakeries. Written before it was measured, and nothing was tuned on it:
 * what it says of hybrid search is what may be expected elsewhere. Keep it so.
 */
const paraphrased: readonly [passage: string, question: string][] = [
  [
    "A recipe is scaled to the number of loaves that were ordered. Ingredients are rounded to five grams.",
    "If customers want twice as much bread, do I have to recalculate the flour myself?",
  ],
  [
    "The oven plan fills each deck so that products with the same temperature bake together.",
    "Which goods should go in at the same time to waste no heat?",
  ],
  [
    "Orders from shops close at four in the afternoon. Later ones are booked for the day after next.",
    "Until when may our branches say what they need tomorrow?",
  ],
  [
    "Dough that proves in the cold room is listed with the hour at which it has to be taken out.",
    "When must I remove the chilled mixture?",
  ],
  [
    "Returned bread is counted at the till and lowers the proposal for the same weekday.",
    "Does the forecast learn from what we could not sell?",
  ],
  [
    "Allergens are printed on every label and cannot be switched off by a baker.",
    "How are people who cannot tolerate nuts warned?",
  ],
  [
    "Drivers see their tour on the phone and confirm each crate with a photo.",
    "Proof that the goods arrived at the customer",
  ],
  [
    "When a flour silo is below a fifth, a purchase order is proposed to the miller.",
    "Are raw materials bought again automatically when we run low?",
  ],
  ["Apprentices may read recipes but do not see what the ingredients cost.", "Hide purchase prices from trainees"],
  [
    "A price change can be entered weeks ahead and becomes valid at midnight.",
    "I want to make rolls more expensive starting next month",
  ],
  [
    "The scale is connected by cable. It refuses a tray that is more than two per cent off the target.",
    "What prevents somebody from adding too much salt by mistake?",
  ],
  ["At public holidays the plan of the previous year is offered as a start.", "How do I prepare for Christmas?"],
  [
    "Working hours are taken from the time clock and handed to the payroll office on the last day of the month.",
    "How do wages get calculated from attendance?",
  ],
  [
    "Cleaning tasks come up on the screen in the bakehouse and have to be signed with initials.",
    "Documenting hygiene for the inspector",
  ],
  [
    "If the line to the internet is cut, tills go on selling and send their receipts later.",
    "Can we still take money from customers when we are offline?",
  ],
  [
    "A batch number leads from a loaf back to the sack of flour and the supplier.",
    "A delivery was contaminated, how do I find out which goods contain it?",
  ],
  [
    "Vouchers may be used in every branch and lose their value after three years.",
    "How long can a customer redeem a gift card?",
  ],
  [
    "Left-over cake is offered to a charity an hour before closing; the driver is told by text message.",
    "What can be done with unsold food in the evening?",
  ],
  [
    "The temperature of each fridge is measured every ten minutes. Above seven degrees the manager is called.",
    "Who gets alerted when cooling breaks down?",
  ],
  ["New staff are shown a short film for each machine before they may start it.", "Safety instruction of beginners"],
  [
    "Standing orders of restaurants can be paused for their holidays.",
    "The hotel is closed for two weeks and needs no delivery",
  ],
  [
    "The screen in the shop shows the next hot tray and the minutes until it is ready.",
    "How do clients know when fresh pretzels come out?",
  ],
  [
    "Invoices of one customer are collected and sent as one on Friday.",
    "Can a cafe get a single bill per week instead of daily ones?",
  ],
  [
    "When two recipes use the same dough, it is mixed once and divided by weight.",
    "Avoid making identical batter several times",
  ],
  [
    "The electricity meter is read each quarter of an hour, and the oven start is moved away from expensive hours.",
    "Reduce the energy bill",
  ],
  [
    "Old recipes are never overwritten; each change gets a date and the name of the baker.",
    "Who altered the ingredients and what was it like before?",
  ],
  [
    "Customers can order a birthday cake on the website and upload the picture that is printed on it.",
    "Get a personal photo put on a pastry",
  ],
  [
    "A sick employee is replaced from a list of people who agreed to be called at short notice.",
    "Somebody phoned in ill this morning, who can step in?",
  ],
  [
    "The weather of tomorrow changes the proposal: more ice cream when it is hot, more soup when it rains.",
    "Does sunshine influence how much we should produce?",
  ],
  [
    "The till counts the drawer at closing time and says by how much it differs from the sales.",
    "Is cash missing in the evening?",
  ],
];

const named: readonly [passage: string, question: string][] = [
  ["BK-101 means that the burner did not ignite. Wait a minute and press start once more.", "What is BK-101?"],
  ["BK-102 means that the door was open for too long and the deck has cooled down.", "oven shows BK-102"],
  ["BK-115 means that the steam generator has no water. Open the tap behind the oven.", "fix bk-115"],
  ["BK-230 means that the scale lost its calibration. Put on the one-kilogram weight.", "error BK-230 at the scale"],
  ["BK-231 means that the scale is not level. Turn its feet.", "BK-231"],
  ["BK-404 means that a label roll is empty. Insert a new one of the same width.", "meaning of the code BK-404"],
  ["BK-512 means that the time clock could not be reached for a day.", "why do I get BK-512"],
  [
    "The setting plan.rounding_grams is the step to which ingredients are rounded. It is 5 unless changed.",
    "default of plan.rounding_grams",
  ],
  [
    "The setting plan.close_hour is the hour at which orders close. It is 16 unless changed.",
    "where is close_hour set",
  ],
  ["The setting silo.min_percent is the level at which flour is ordered. It is 20 unless changed.", "silo.min_percent"],
  [
    "The setting fridge.alarm_celsius is the warmth at which the manager is called. It is 7 unless changed.",
    "what is fridge.alarm_celsius for",
  ],
  [
    "The setting till.offline_days says how long a till may sell without a connection. It is 3 unless changed.",
    "till.offline_days value",
  ],
  [
    "The setting label.font_points is the size of letters on labels. It is 8 unless changed.",
    "change label.font_points",
  ],
  [
    "The command crumb plan prints the oven plan of a day. Add --date for another day than tomorrow.",
    "crumb plan --date",
  ],
  [
    "The command crumb export writes all recipes into a file. Add --costs to include prices.",
    "crumb export with --costs",
  ],
  ["The command crumb retire hides a product from all shops at the end of the day.", "what does crumb retire do"],
  [
    "The command crumb reindex builds the list of batches anew; it takes an hour for each year of data.",
    "how long does crumb reindex take",
  ],
  ["POST /api/orders places an order for a shop. Its fields are shopId, day and items.", "fields of POST /api/orders"],
  ["GET /api/batches/{number} says what went into a batch and where it was sold.", "GET /api/batches"],
  ["PUT /api/prices/{product} enters a price with the field validFrom.", "what is validFrom in /api/prices"],
  ["DELETE /api/vouchers/{code} blocks a voucher that was stolen.", "DELETE /api/vouchers"],
  ["The role head-baker may change recipes and sign cleaning tasks.", "rights of head-baker"],
  ["The role shop-lead may order and change the hours of the staff of one shop.", "what can a shop-lead do"],
  ["Deck oven DX-4 has four decks and takes 96 loaves an hour.", "DX-4 loaves"],
  ["Deck oven DX-6 has six decks and takes 150 loaves an hour.", "how many decks does DX-6 have"],
  ["Scale SC-30K weighs up to thirty kilograms and has a USB plug.", "SC-30K"],
  ["Printer LP-58 prints labels of 58 millimetres; LP-80 is the wider one.", "width of LP-58 labels"],
  ["Release 7.4.0 adds vouchers for all branches. Release 7.4.1 corrects their date.", "what was corrected in 7.4.1"],
  ["The variable CRUMB_SITE names the bakery that the command works on.", "CRUMB_SITE"],
  [
    "The file /srv/crumb/tours.csv holds the tours of the drivers and can be edited by hand.",
    "can tours.csv be edited",
  ],
];

/** What nobody asks for. */
const others: readonly string[] = [
  "Crumb runs on a small computer in the office of the bakery. Tills and ovens are connected to it by cable.",
  "The colours of the screen in the bakehouse can be inverted for night work.",
  "Each branch has its own opening hours, which the website shows as well.",
  "A product has a name, a picture, a weight, a price and one recipe.",
  "Crates are counted when they leave and when they come back.",
  "The training mode of a till books nothing; its receipts say so.",
  "A tour is planned so that the shop that opens first is served first.",
  "Bakers choose their language at the screen; the recipe stays as it was written.",
  "Sourdough is fed at fixed hours, and the screen reminds of it.",
  "The support line of Crumb is staffed from three in the morning.",
];

const answered = [...paraphrased, ...named];

export const heldOutSet: QuestionSet = {
  passages: [...answered.map(([passage]) => passage), ...others],
  paraphrases: paraphrased.map(([, text], index) => ({ text, answer: index })),
  identifiers: named.map(([, text], index) => ({ text, answer: paraphrased.length + index })),
};
