import type { Json } from "@weft/schema";
import {
  type ActionArguments,
  ArgumentError,
  bodyOf,
  count,
  defineVendor,
  flag,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";

const limit = count("How many to list. Default 10.", 100);
const active = flag("Whether it can be used.");
const customer = text("Id of the customer, such as cus_….");
const price = text("Id of the price, such as price_….");
const invoice = text("Id of the invoice, such as in_….");
const quantity = count("How many. Default 1.", 999_999);
const description = text("What it is about, as customers read it.");
const currency = text("Three letters in lower case, such as eur.");
const amount = (what: string) => ({ type: "integer", description: `${what}, in the smallest unit, such as cents.` });

/** Source: docs.stripe.com/api. Nested values have names with brackets. */
function toForm(values: Readonly<Record<string, Json | undefined>>) {
  const given = Object.entries(bodyOf(values)).map(([key, value]): [string, string] => [key, String(value)]);
  return { type: "application/x-www-form-urlencoded", text: new URLSearchParams(given).toString() };
}

/** The API version of these parameters, independent of the account's own. */
const headers = { "stripe-version": "2025-03-31.basil" };

type Parts = Pick<VendorAction, "description" | "parameters"> & { required?: readonly string[] };

/** Stripe honours `Idempotency-Key`, so a request that may have arrived can be repeated. */
function creation(
  path: string,
  { required = [], ...parts }: Parts,
  toValues: (args: ActionArguments) => Readonly<Record<string, Json | undefined>> = (args) => args,
): VendorAction {
  return {
    ...parts,
    effect: "write",
    isIdempotent: true,
    required,
    toRequest: (args) => ({ method: "POST", path, headers, content: toForm(toValues(args)) }),
  };
}

/** Changes an item by its id, given as `key`. */
function change(path: string, key: string, { required = [], parameters, ...parts }: Parts): VendorAction {
  return {
    ...parts,
    effect: "write",
    isIdempotent: true,
    parameters: { [key]: text("Its id."), ...parameters },
    required: [key, ...required],
    toRequest({ [key]: id, ...values }) {
      const content = toForm(values);
      if (content.text === "") throw new ArgumentError("Nothing was called: nothing was to be changed.");
      return { method: "POST", path: `${path}/${segment(id)}`, headers, content };
    },
  };
}

function listing(path: string, { required = [], parameters, ...parts }: Parts): VendorAction {
  return {
    ...parts,
    effect: "read",
    parameters: { limit, ...parameters },
    required,
    toRequest: ({ limit: most = 10, ...query }) => ({ method: "GET", path, headers, query: { limit: most, ...query } }),
  };
}

const products: Record<string, VendorAction> = {
  createProduct: creation("/v1/products", {
    description: "Creates a product.",
    parameters: { name: text("Its name."), description },
    required: ["name"],
  }),
  updateProduct: change("/v1/products", "product", {
    description: "Changes what is given of a product.",
    parameters: { name: text("The new name."), description, active },
  }),
  listProducts: listing("/v1/products", { description: "Lists products.", parameters: { active } }),
  createPrice: creation(
    "/v1/prices",
    {
      description: "Creates a price of a product.",
      parameters: {
        product: text("Id of the product, such as prod_…."),
        unit_amount: amount("The price"),
        currency,
        interval: {
          type: "string",
          enum: ["day", "week", "month", "year"],
          description: "How often it is paid, if not once.",
        },
      },
      required: ["product", "unit_amount", "currency"],
    },
    ({ interval, ...values }) => ({ ...values, "recurring[interval]": interval }),
  ),
  updatePrice: change("/v1/prices", "price", {
    description: "Changes the name of a price, or whether it can be used; never its amount.",
    parameters: { nickname: text("A name for it that customers do not see."), active },
  }),
  listPrices: listing("/v1/prices", {
    description: "Lists prices.",
    parameters: { product: text("Only those of this product, by its id."), active },
  }),
  createPaymentLink: creation(
    "/v1/payment_links",
    {
      description: "Creates a link with which people pay a price.",
      parameters: { price, quantity },
      required: ["price"],
    },
    ({ price: id, quantity: many = 1 }) => ({ "line_items[0][price]": id, "line_items[0][quantity]": many }),
  ),
  updatePaymentLink: change("/v1/payment_links", "payment_link", {
    description: "Switches a link for payments on or off.",
    parameters: { active },
    required: ["active"],
  }),
  listPaymentLinks: listing("/v1/payment_links", { description: "Lists links for payments.", parameters: { active } }),
};

const billing: Record<string, VendorAction> = {
  retrieveBalance: {
    description: "Reads the balance of the account.",
    effect: "read",
    parameters: {},
    required: [],
    toRequest: () => ({ method: "GET", path: "/v1/balance", headers }),
  },
  createCustomer: creation("/v1/customers", {
    description: "Creates a customer.",
    parameters: { name: text("The name."), email: text("The mail address.") },
    required: ["name"],
  }),
  updateCustomer: change("/v1/customers", "customer", {
    description: "Changes what is given of a customer.",
    parameters: { name: text("The new name."), email: text("The new mail address."), description },
  }),
  listCustomers: listing("/v1/customers", {
    description: "Lists customers.",
    parameters: { email: text("Only the one with exactly this mail address.") },
  }),
  createInvoice: creation(
    "/v1/invoices",
    {
      description: "Creates a draft of an invoice.",
      parameters: { customer, days_until_due: count("Days until it has to be paid. Default 30.", 365), description },
      required: ["customer"],
    },
    ({ days_until_due: days = 30, ...values }) => ({
      ...values,
      collection_method: "send_invoice",
      days_until_due: days,
    }),
  ),
  updateInvoice: change("/v1/invoices", "invoice", {
    description: "Changes what is given of a draft of an invoice.",
    parameters: { description, days_until_due: count("Days until it has to be paid.", 365) },
  }),
  finalizeInvoice: {
    description: "Makes the draft of an invoice final: it can be paid, and no longer changed.",
    effect: "write",
    isIdempotent: true,
    parameters: { invoice },
    required: ["invoice"],
    toRequest: (args) => ({ method: "POST", path: `/v1/invoices/${segment(args.invoice)}/finalize`, headers }),
  },
  listInvoices: listing("/v1/invoices", {
    description: "Lists invoices.",
    parameters: {
      customer: text("Only those of this customer, by the id."),
      status: { type: "string", enum: ["draft", "open", "paid", "uncollectible", "void"], description: "Only those." },
    },
  }),
  createInvoiceItem: creation(
    "/v1/invoiceitems",
    {
      description: "Adds a line to an invoice.",
      parameters: { customer, price, invoice, quantity },
      required: ["customer", "price"],
    },
    ({ price: id, ...values }) => ({ ...values, "pricing[price]": id }),
  ),
  updateInvoiceItem: change("/v1/invoiceitems", "invoice_item", {
    description: "Changes what is given of a line of an invoice.",
    parameters: { description, quantity },
  }),
  listInvoiceItems: listing("/v1/invoiceitems", {
    description: "Lists lines of invoices.",
    parameters: {
      customer: text("Only those of this customer, by the id."),
      invoice: text("Only those of this invoice."),
    },
  }),
};

/** An account's products, prices and invoices. Source: docs.stripe.com/api. */
export const stripe = defineVendor({
  type: "stripe",
  title: "Stripe",
  summary: "Reads and writes products, prices, payment links, customers and invoices.",
  icon: "toolkit",
  prefix: "stripe",
  address: { url: "https://api.stripe.com" },
  signIn: withHeadersOf("a Stripe credential with a secret or restricted key"),
  actions: { ...products, ...billing },
});
