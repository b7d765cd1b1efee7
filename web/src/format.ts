// Numbers for people: six significant digits, as short as possible.

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const percents = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (size === 0) return '0';
  const text =
    size < 1e-4
      ? value.toExponential(2).replace('e', ' e')
      : (size >= 1e5 ? grouped : short).format(value);
  return text.replace('-', '−');
}

/** Two numbers that are not the same, with as many digits as it takes to see that. */
export function apart(a: number, b: number): [string, string] {
  for (let digits = 7; number(a) === number(b) && digits <= 17; ++digits) {
    const texts: [string, string] = [a.toPrecision(digits), b.toPrecision(digits)];
    if (texts[0] !== texts[1]) return texts;
  }
  return [number(a), number(b)];
}

/** Three digits: for axes and labels. */
export function brief(value: number): string {
  if (Math.abs(value) < 1e-12) return '0';
  return number(Number(value.toPrecision(3)));
}

/** 12345 -> "12,345" */
export function digits(n: number): string {
  return n.toLocaleString('en');
}

export function count(n: number, noun: string): string {
  return `${digits(n)} ${noun}${n === 1 ? '' : 's'}`;
}

export function percent(share: number): string {
  if (share > 0 && share < 1e-5) return '< 0.001 %';
  // A chance that is not certain must not look so.
  if (share < 1 && share > 0.9995) return '> 99.9 %';
  return `${percents.format(100 * share)} %`;
}

export function duration(seconds: number): string {
  if (seconds < 1) return `${brief(seconds * 1000)} ms`;
  if (seconds < 120) return `${brief(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** "(fly depot market)" -> "fly depot market" */
export function plain(name: string): string {
  return /^\([^()]*\)$/.test(name) ? name.slice(1, -1) : name;
}

/** The action schema: the first word of a ground action. */
export function schema(name: string): string {
  return plain(name).split(/\s/, 1)[0] || name;
}
