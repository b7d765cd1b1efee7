// web/src/format.ts
var grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
var short = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
var percents = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
function number(value) {
  if (value === null || value === void 0 || Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return value > 0 ? "\u221E" : "\u2212\u221E";
  const size = Math.abs(value);
  if (size === 0) return "0";
  const text = size < 1e-4 ? value.toExponential(2).replace("e", " e") : (size >= 1e5 ? grouped : short).format(value);
  return text.replace("-", "\u2212");
}
function apart(a, b) {
  for (let digits2 = 7; number(a) === number(b) && digits2 <= 17; ++digits2) {
    const texts = [a.toPrecision(digits2), b.toPrecision(digits2)];
    if (texts[0] !== texts[1]) return texts;
  }
  return [number(a), number(b)];
}
function brief(value) {
  if (Math.abs(value) < 1e-12) return "0";
  return number(Number(value.toPrecision(3)));
}
function briefly(values) {
  const different = new Set(values).size;
  for (let digits2 = 3; digits2 < 6; ++digits2) {
    const texts = values.map((value) => number(Number(value.toPrecision(digits2))));
    if (new Set(texts).size === different) return texts;
  }
  const rounded = (digits2) => values.map((value) => value.toPrecision(digits2).replace("-", "\u2212"));
  for (let digits2 = 6; digits2 < 12; ++digits2)
    if (new Set(rounded(digits2)).size === different) return rounded(digits2);
  return values.map(number);
}
function tickLabels(ticks) {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : Math.abs(ticks[0]) || 1;
  const size = Math.max(...ticks.map(Math.abs), step);
  const power = Math.floor(Math.log10(step) + 1e-9);
  if (size >= 1e6 || size < 1e-3) {
    const fraction = Math.max(0, Math.floor(Math.log10(size) + 1e-9) - power);
    return ticks.map(
      (tick) => tick === 0 ? "0" : tick.toExponential(fraction).replace("e+", " e").replace("e-", " e\u2212").replace(/^-/, "\u2212")
    );
  }
  const decimals = Math.min(20, Math.max(0, -power));
  const format = new Intl.NumberFormat("en", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals
  });
  return ticks.map((tick) => tick === 0 ? "0" : format.format(tick).replace("-", "\u2212"));
}
function shareOf(part, whole) {
  const share = part / whole;
  const error = Math.sqrt(share * (1 - share) / whole);
  return error > 0 ? `${percent(share)} \xB1 ${percents.format(Number((100 * error).toPrecision(1)))} %` : percent(share);
}
function digits(n) {
  return n.toLocaleString("en");
}
function count(n, noun) {
  return `${digits(n)} ${noun}${n === 1 ? "" : "s"}`;
}
function percent(share) {
  if (share > 0 && share < 1e-5) return "< 0.001 %";
  if (share < 1 && share > 0.9995) return "> 99.9 %";
  return `${percents.format(100 * share)} %`;
}
function duration(seconds) {
  if (seconds < 1) return `${brief(seconds * 1e3)} ms`;
  if (seconds < 120) return `${brief(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
function plain(name) {
  return /^\([^()]*\)$/.test(name) ? name.slice(1, -1) : name;
}
function schema(name) {
  return plain(name).split(/\s/, 1)[0] || name;
}
export {
  apart,
  brief,
  briefly,
  count,
  digits,
  duration,
  number,
  percent,
  plain,
  schema,
  shareOf,
  tickLabels
};
