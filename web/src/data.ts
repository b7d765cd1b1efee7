// The data that carl puts into the page, as src/io/write_report.cc writes them.
import type { Bar } from './charts/histogram';

export interface Constraint {
  cost: string;
  bound: number;
  value?: number;
  multiplier?: number;
  excess?: number; // the bound is met within the tolerance only
}

export interface TracePoint {
  seconds: number;
  multipliers: number[]; // one per constraint
  cut: number;
  value: number; // of L at the multipliers
  lower_bound: number;
  upper_bound: number | null;
}

export interface Result {
  status: 'optimal' | 'infeasible' | 'no-proper-policy' | 'limit' | 'interrupted';
  algorithm: string;
  outer?: string;
  heuristic?: string;
  note?: string;
  objective?: number | null;
  lower_bound?: number | null;
  gap?: number | null;
  costs?: Record<string, number>;
  rewards?: string[]; // costs that are what is lost of a reward, as the problem calls it
  constraints: Constraint[];
  policy?: { mixture: { weight: number; costs: number[] }[] };
  infeasibility?:
    { weights: Record<string, number>; least: number; allowed: number } | { zero_bounds: string[] };
  repair?: {
    text: string[]; // what would suffice
    alone?: Record<string, { possible: boolean; necessary?: number; sufficient?: number }>;
  };
  reason?: { text: string[] }; // why there is no proper policy
  trace?: TracePoint[];
  cuts?: number[][]; // expected costs of the policies found
  statistics?: Record<string, number | Record<string, number>> & {
    seconds?: Record<string, number>;
  };
}

export type Outcome = [successor: number, probability: number]; // -1: a state left out
export type Choice = [action: number, probability: number, outcomes: Outcome[]];

export interface State {
  facts: number[];
  visits: number;
  depth: number;
  goal?: 'goal' | 'given-up';
  values?: number[];
  choices?: Choice[];
}

export interface Policy {
  states: State[];
  facts: string[];
  actions: { name: string; costs: number[] }[];
  total_states: number;
  total_goals: number;
  stochastic_states: number;
  expected_steps: number;
  given_up: number;
}

export interface SweepCurve {
  points: {
    bound: number;
    objective: number | null;
    multiplier?: number | null;
    status?: string;
  }[];
  breakpoints?: { bound: number; objective: number; slope?: number }[];
  infeasible_below?: number | null;
  slack_above?: number | null;
}

/** One curve, or one for each value of a second bound. */
export type Sweep = { cost: string } & (
  | (SweepCurve & { curves?: undefined })
  | { second_cost: string; curves: (SweepCurve & { second: { value: number } })[] }
);

/** What single runs were like. */
export interface Runs {
  runs: number;
  seed: number;
  cut_off: number; // runs that were too long to be finished
  exceeding_any: number; // runs that exceed a bound
  costs: {
    cost: string;
    mean: number;
    median: number;
    p95: number;
    max: number;
    exceeding?: number; // runs that exceed its bound
    bars: Bar[];
  }[];
}

export interface Front {
  costs: number[]; // those of the front, by their number
  vertices: {
    costs: number[]; // all costs
    deterministic: boolean;
    states?: {
      state: string | string[];
      visits?: number;
      actions: { name: string; probability: number }[];
    }[];
  }[];
  edges: [number, number][];
  faces: number[][];
  distance: number | null;
  status: string;
}

export interface ExplainedState {
  state: string | string[];
  actions: {
    name: string;
    probability: number;
    loss: number | null;
    costs?: (number | null)[]; // none if no goal is certain
  }[];
  without_bounds?: string;
  decisive: Record<string, string>; // by bound: what would be best without it
}

export interface Report {
  title: string;
  generator: string;
  costs: string[];
  factored: boolean;
  result: Result;
  sweep?: Sweep;
  front?: Front;
  explanation?: ExplainedState[];
  policy?: Policy;
  parts?: Policy[]; // of the mixture, in its order
  runs?: Runs;
}

/** The reward that a cost is the loss of, if it is one. */
export function rewardOf({ result }: Report, cost: string): string | undefined {
  return result.rewards?.find((reward) => cost === `lost ${reward}`);
}

export function readReport(): Report {
  return JSON.parse(document.getElementById('data')!.textContent!) as Report;
}
