/** A body of ten fields, checked by hand: for the servers that bring no check of their own. */

const PLANS = ["free", "team", "business"];

const isText = (value, least, most) =>
  typeof value === "string" && value.length >= least && value.length <= most;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function isAddress(value) {
  return (
    isObject(value) &&
    isText(value.street, 1, 200) &&
    isText(value.city, 1, 100) &&
    isText(value.postcode, 1, 20)
  );
}

function isSignup(value) {
  return (
    isObject(value) &&
    isText(value.name, 1, 80) &&
    isText(value.email, 3, 254) &&
    Number.isSafeInteger(value.age) &&
    value.age >= 0 &&
    value.age <= 150 &&
    typeof value.newsletter === "boolean" &&
    PLANS.includes(value.plan) &&
    Array.isArray(value.tags) &&
    value.tags.every((tag) => typeof tag === "string") &&
    isAddress(value.address) &&
    typeof value.credit === "number" &&
    typeof value.language === "string" &&
    (value.referrer === undefined || typeof value.referrer === "string")
  );
}

/** @returns what is answered for the parsed body: the status and the JSON. */
export function checkSignup(body) {
  return isSignup(body) ? [201, toSignupAnswer(body)] : [422, { error: "The body does not fit." }];
}

export function toSignupAnswer({ name, plan, tags, address }) {
  return { account: { id: 8, name, plan, tags: tags.length, city: address.city } };
}
