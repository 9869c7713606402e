import { isJsonObject, type Json, type JsonObject, toMoment } from "@weft/schema";
import {
  ArgumentError,
  bodyOf,
  choice,
  count,
  defineVendor,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";
import { type Shape, showItem, showList } from "./vendor-answer.ts";

/** Source: developers.hubspot.com/docs/api-reference/crm-contacts-v3, by the names of properties. */
const shown = {
  contacts: ["email", "firstname", "lastname", "phone", "company", "jobtitle", "lifecyclestage"],
  companies: ["name", "domain", "industry", "phone", "city", "country", "lifecyclestage"],
  deals: ["dealname", "amount", "dealstage", "pipeline", "closedate", "hubspot_owner_id"],
} as const;

type RecordType = keyof typeof shown;

const shapeOf = (type: RecordType): Shape => ({
  id: "id",
  ...Object.fromEntries(shown[type].map((name) => [name, `properties.${name}`])),
  updated: "updatedAt",
});

function searching(type: RecordType, description: string): VendorAction {
  return {
    description,
    effect: "read",
    parameters: {
      query: text("Words to find in the properties that HubSpot searches by default, such as names.", 3_000),
      property: text("Only those in which this property, by its internal name, has exactly the given value.", 100),
      value: text("The value of the property.", 1_000),
      limit: count("How many to list. Default 10.", 50),
      after: text("Where the next part starts: the next of the last answer.", 100),
    },
    required: [],
    toRequest: ({ query, property, value, limit = 10, after }) => {
      const filter = { propertyName: property ?? "", operator: "EQ", value: value ?? "" };
      return {
        method: "POST",
        path: `/crm/v3/objects/${type}/search`,
        body: bodyOf({
          query,
          filterGroups: property === undefined ? undefined : [{ filters: [filter] }],
          properties: [...shown[type]],
          limit,
          after,
        }),
      };
    },
    toText: (answer) =>
      showList(answer, {
        items: "results",
        shape: shapeOf(type),
        beside: { total: "total", next: "paging.next.after" },
      }),
  };
}

const contactProperties = {
  email: text("The mail address.", 320),
  firstName: text("The first name.", 200),
  lastName: text("The last name.", 200),
  phone: text("The phone number.", 100),
  company: text("Name of the company.", 500),
  jobTitle: text("The job title.", 500),
  properties: {
    type: "object",
    description: 'Further properties by their internal names, such as {"lifecyclestage":"lead"}.',
  },
};

/** Throws `ArgumentError` where nothing is given. */
function toProperties({ properties, ...args }: JsonObject): JsonObject {
  const own = bodyOf({
    email: args.email,
    firstname: args.firstName,
    lastname: args.lastName,
    phone: args.phone,
    company: args.company,
    jobtitle: args.jobTitle,
  });
  const all = { ...(isJsonObject(properties) && properties), ...own };
  if (Object.keys(all).length === 0) throw new ArgumentError("Nothing was called: no property was given.");
  return all;
}

const showContact = (answer: Json) => showItem(answer, shapeOf("contacts"));

/** Ids of the associations from a note. Source: developers.hubspot.com/docs/guides/api/crm/associations. */
const associations: Readonly<Record<string, number>> = { contact: 202, company: 190, deal: 214 };

const actions: Record<string, VendorAction> = {
  searchContacts: searching("contacts", "Searches for contacts."),
  searchCompanies: searching("companies", "Searches for companies."),
  searchDeals: searching("deals", "Searches for deals."),
  createContact: {
    description: "Creates a contact.",
    effect: "write",
    parameters: contactProperties,
    required: ["email"],
    toRequest: (args) => ({
      method: "POST",
      path: "/crm/v3/objects/contacts",
      body: { properties: toProperties(args) },
    }),
    toText: showContact,
  },
  updateContact: {
    description: "Changes what is given of a contact.",
    effect: "write",
    parameters: { contact: text("Id of the contact, or its mail address.", 320), ...contactProperties },
    required: ["contact"],
    toRequest: ({ contact, ...args }) => ({
      method: "PATCH",
      path: `/crm/v3/objects/contacts/${segment(contact)}`,
      query: { idProperty: String(contact).includes("@") ? "email" : undefined },
      body: { properties: toProperties(args) },
    }),
    toText: showContact,
  },
  createNote: {
    description: "Adds a note to a contact, a company or a deal.",
    effect: "write",
    parameters: {
      recordType: choice("What it is added to.", Object.keys(associations)),
      recordId: text("Id of the contact, company or deal.", 50),
      note: text("The note. It may have simple HTML.", 65_000),
    },
    required: ["recordType", "recordId", "note"],
    toRequest: ({ recordType, recordId, note }, now) => ({
      method: "POST",
      path: "/crm/v3/objects/notes",
      body: {
        properties: { hs_timestamp: toMoment(now), hs_note_body: String(note) },
        associations: [
          {
            to: { id: String(recordId) },
            types: [
              { associationCategory: "HUBSPOT_DEFINED", associationTypeId: associations[String(recordType)] ?? 0 },
            ],
          },
        ],
      },
    }),
    toText: (answer) => showItem(answer, { id: "id", created: "createdAt" }),
  },
};

/** Contacts, companies and deals of an account. Source: developers.hubspot.com/docs/api-reference. */
export const hubspot = defineVendor({
  type: "hubspot",
  title: "HubSpot",
  summary: "Finds contacts, companies and deals, writes contacts and adds notes.",
  icon: "toolkit",
  prefix: "hubspot",
  address: { url: "https://api.hubapi.com" },
  signIn: withHeadersOf("a HubSpot credential with the access token of a private app"),
  actions,
});
