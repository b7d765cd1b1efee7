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

/** Numbers beside each other: three digits, or as many as it takes to tell them apart. */
export function briefly(values: number[]): string[] {
  const different = new Set(values).size;
  for (let digits = 3; digits < 6; ++digits) {
    const texts = values.map((value) => number(Number(value.toPrecision(digits))));
    if (new Set(texts).size === different) return texts;
  }
  const rounded = (digits: number) =>
    values.map((value) => value.toPrecision(digits).replace('-', '−'));
  for (let digits = 6; digits < 12; ++digits)
    if (new Set(rounded(digits)).size === different) return rounded(digits);
  return values.map(number);
}

/** Labels of an axis: as many digits as it takes to tell its ticks apart, the same for all. */
export function tickLabels(ticks: number[]): string[] {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : Math.abs(ticks[0]) || 1;
  const size = Math.max(...ticks.map(Math.abs), step);
  // d3's ticks are multiples of 1, 2 or 5 times a power of ten.
  const power = Math.floor(Math.log10(step) + 1e-9);
  if (size >= 1e6 || size < 1e-3) {
    const fraction = Math.max(0, Math.floor(Math.log10(size) + 1e-9) - power);
    return ticks.map((tick) =>
      tick === 0
        ? '0'
        : tick.toExponential(fraction).replace('e+', ' e').replace('e-', ' e−').replace(/^-/, '−'),
    );
  }
  const decimals = Math.min(20, Math.max(0, -power));
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return ticks.map((tick) => (tick === 0 ? '0' : format.format(tick).replace('-', '−')));
}

/** A share of so many cases with its standard error: "12.3 % ± 0.3 %". */
export function shareOf(part: number, whole: number): string {
  const share = part / whole;
  const error = Math.sqrt((share * (1 - share)) / whole);
  return error > 0
    ? `${percent(share)} ± ${percents.format(Number((100 * error).toPrecision(1)))} %`
    : percent(share);
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
