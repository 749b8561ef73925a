// The search field and the filters.

const MOST_CHOICES = 300;
const fields = {search: $("#search"), category: $("#category"), feature: $("#feature"), verdict: $("#verdict")};

function countValues(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
}

function fill(select, none, entries) {
  const shown = entries.slice(0, MOST_CHOICES), rest = entries.length - shown.length;
  select.append(el("option", {value: ""}, none), ...shown.map(([value, count]) => el("option", {value}, `${value} (${count})`)));
  if (rest) select.append(el("option", {disabled: ""}, `and ${rest} others`));
}

fill(fields.category, "category", countValues(cards.map((card) => card.category)).sort());
fill(fields.feature, "feature", countValues(cards.flatMap((card) => [...new Set(card.features)])).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
fill(fields.verdict, "verdict", [
  ...countValues(cards.flatMap((card) => [...new Set(Object.values(card.verdicts))].map((status) => `any: ${status}`))),
  ...countValues(cards.flatMap((card) => Object.entries(card.verdicts).map(([level, status]) => `${level}: ${status}`))),
]);

function hasVerdict(card, choice) {
  const [level, status] = choice.split(": ");
  return level === "any" ? Object.values(card.verdicts).includes(status) : card.verdicts[level] === status;
}

/** Set the filters that a link names; a value that no pair of the page has is added as a choice. */
function setFilters(values) {
  for (const [name, field] of Object.entries(fields)) {
    const value = values.get(name) ?? "";
    if (value && field.options && ![...field.options].some((option) => option.value === value)) field.append(el("option", {value}, value));
    field.value = value;
  }
  filter();
}

function matching() {
  const words = fields.search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const [category, feature, verdict] = [fields.category.value, fields.feature.value, fields.verdict.value];
  return [...cards.keys()].filter((number) => {
    const card = cards[number];
    return (!category || card.category === category) && (!feature || card.features.includes(feature)) &&
      (!verdict || hasVerdict(card, verdict)) && words.every((word) => card.text.includes(word));
  });
}
