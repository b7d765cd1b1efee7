// The policy as nodes and edges. An edge is all that leads from one state to another, whatever the
// action; its flow is how often that is expected to happen.
import type { Choice, ExplainedState, Policy, Report } from '../data';
import { percent, plain, schema } from '../format';

export interface Edge {
  from: number;
  to: number;
  flow: number;
}

export interface Node {
  id: number;
  visits: number;
  depth: number;
  kind: 'start' | 'state' | 'goal' | 'given-up';
  stochastic: boolean;
  choices: Choice[];
  values?: number[];
  out: Edge[];
  in: Edge[];
  left: number; // flow to states that are not in the page
}

/** Where a run is over. */
export function isEnd({ kind }: Node): boolean {
  return kind === 'goal' || kind === 'given-up';
}

export class PolicyGraph {
  readonly nodes: Node[];
  readonly costs: string[];
  readonly factored: boolean;
  private readonly explained = new Map<string, ExplainedState>();
  private readonly texts: string[] = []; // for searching
  private ids?: Map<string, number>;

  constructor(
    readonly policy: Policy,
    report: Report,
  ) {
    this.costs = report.costs;
    this.factored = report.factored;
    for (const one of report.explanation ?? [])
      this.explained.set(Array.isArray(one.state) ? one.state.join(' ') : one.state, one);
    this.nodes = policy.states.map((state, id) => ({
      id,
      visits: state.visits,
      depth: state.depth,
      kind: state.goal ?? (id === 0 ? 'start' : 'state'),
      stochastic: (state.choices?.length ?? 0) > 1,
      choices: state.choices ?? [],
      values: state.values,
      out: [],
      in: [],
      left: 0,
    }));
    for (const node of this.nodes) this.connect(node);
  }

  private connect(node: Node): void {
    const flows = new Map<number, number>();
    for (const [, chosen, outcomes] of node.choices)
      for (const [to, probability] of outcomes) {
        const flow = node.visits * chosen * probability;
        if (to < 0) node.left += flow;
        else flows.set(to, (flows.get(to) ?? 0) + flow);
      }
    for (const [to, flow] of flows) {
      const edge = { from: node.id, to, flow };
      node.out.push(edge);
      this.nodes[to].in.push(edge);
    }
    node.out.sort((a, b) => b.flow - a.flow);
  }

  facts(id: number): string[] {
    return this.policy.states[id].facts.map((fact) => this.policy.facts[fact]);
  }

  name(id: number): string {
    return this.facts(id).join(' ') || '(no facts)';
  }

  /** The state of that name; -1 if there is none. */
  find(name: string): number {
    this.ids ??= new Map(this.nodes.map(({ id }) => [this.name(id), id]));
    return this.ids.get(name) ?? -1;
  }

  /** What the alternatives are, if that was worked out. */
  explanation(id: number): ExplainedState | undefined {
    return this.explained.get(this.facts(id).join(' '));
  }

  /** What is done there, in a few words. */
  label(id: number): string {
    const node = this.nodes[id];
    if (node.kind === 'given-up') return 'given up';
    if (node.kind === 'goal') return 'goal';
    return node.choices.map(([action]) => plain(this.policy.actions[action].name)).join(' | ');
  }

  /** The same with the chances of a random choice. */
  does(id: number): string {
    const { choices, stochastic } = this.nodes[id];
    if (!stochastic) return this.label(id);
    return choices
      .map(([action, chance]) => `${plain(this.policy.actions[action].name)} ${percent(chance)}`)
      .join(', ');
  }

  /** Action schemas with the number of states that use them, the most used first. */
  schemas(): [string, number][] {
    const uses = new Map<string, number>();
    for (const { choices } of this.nodes)
      for (const name of new Set(
        choices.map(([action]) => schema(this.policy.actions[action].name)),
      ))
        uses.set(name, (uses.get(name) ?? 0) + 1);
    return [...uses].sort((a, b) => b[1] - a[1]);
  }

  usesSchema(id: number, name: string): boolean {
    return this.nodes[id].choices.some(
      ([action]) => schema(this.policy.actions[action].name) === name,
    );
  }

  /** All words occur in the state's facts or in the names of its actions. */
  matches(id: number, words: string[]): boolean {
    this.texts[id] ??= `${this.name(id)} ${this.label(id)}`.toLowerCase();
    return words.every((word) => this.texts[id].includes(word));
  }
}
