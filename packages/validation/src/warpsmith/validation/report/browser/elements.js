// Helpers, and the cards of all pairs.

const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Create an element: `el("p.note", {title: "…"}, "text", child)`. */
function el(selector, attributes = {}, ...children) {
  const [tag, ...classes] = selector.split(".");
  const element = document.createElement(tag);
  element.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

const STATUS = {pass: "✓", fail: "✗", inconclusive: "?", skipped: "–", not_applicable: "·"};
const cards = JSON.parse($("#cards").textContent);
const numbers = new Map(cards.map((card, number) => [card.id, number]));
for (const card of cards) {
  const statuses = Object.values(card.verdicts);
  card.worst = ["fail", "inconclusive", "pass"].find((status) => statuses.includes(status)) ?? null;
  card.level = Object.keys(card.verdicts).findLast((level) => card.verdicts[level] === card.worst); // the highest with that status
  card.text = [card.id, card.kernel, card.category, card.description, card.features.join(" "), card.text].join(" ").toLowerCase();
}
