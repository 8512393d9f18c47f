/** A page of a list as an API answers it, about 10 KB of JSON: each server makes the text anew for each request. */

const items = Array.from({ length: 52 }, (_, at) => ({
  id: 1000 + at,
  name: `Item number ${at}`,
  description: "A thing with a few words about it, as they stand in a catalogue of such things.",
  price: 4.5 + at,
  featured: at % 5 === 0,
  tags: ["office", "paper", `group-${at % 7}`],
}));

export const page = { total: 5200, page: 1, items };
