// roost agents: which coding agents are on this machine, and what Roost can do with each.
import type { ApiClient } from '@roost/client/api-client';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type AgentRow, guardWords, type ProgramProblem, type ProvenAgent } from '@roost/protocol/api/agents';
import type { Result } from '@roost/protocol/result';
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { print } from '../output/print.ts';
import { waitForCommand } from '../output/progress.ts';
import { toTable, wrap } from '../output/table.ts';
import { connectOrStart } from '../runner/connect.ts';

type Options = { json?: boolean; matrix?: boolean; prove?: boolean };

export async function agents(options: Options): Promise<void> {
	const connected = unwrap(await connectOrStart());
	const listed = unwrap(await list(connected.api, options));
	const width = Math.max(process.stdout.columns ?? WIDTH, NARROWEST);
	await print(options, listed, options.matrix ? toMatrix(listed, width) : toAgentTable(listed, width));
}

/** Each agent is started once, so progress is shown. */
async function list({ agents: known, commands }: ApiClient, { prove, json }: Options): Promise<Result<readonly AgentRow[]>> {
	if (!prove) return await known.list();
	return await waitForCommand(commands, crypto.randomUUID(), { json }, (commandId) => known.prove({ commandId, again: true }));
}

const WIDTH = 80;
const NARROWEST = 40;

export function toAgentTable(rows: readonly AgentRow[], width: number): string[] {
	const lines = rows.map((row) => [
		row.id,
		versionOf(row),
		claimOf(row, row.takesPrompts, 'prompt'),
		claimOf(row, row.observed !== null, 'observed'),
		guardOf(row),
		provenOf(row),
	]);
	const table = toTable(['AGENT', 'VERSION', 'DRIVEN', 'OBSERVED', 'HOOK TEST', 'PROVEN'], lines);
	const problems = rows.flatMap(({ program }) => (program?.problem ? [program.problem.sentence] : []));
	const guards = rows.flatMap(guardSentence);
	const untested = rows.filter((row) => guardOf(row) === NOT_TESTED).map(({ id }) => id);
	if (untested.length > 0)
		guards.push(`${untested.join(', ')}: permission hook not tested on this machine. Run "${calledAs()} agents --prove".`);
	return [
		table,
		...spaced([...problems, ...guards].flatMap((sentence) => wrapped(sentence, width))),
		'',
		...wrapped(`Driven: "${calledAs()} run --agent <agent>". Observed: what you start is on record.`, width),
		...wrapped(`Any other agent that speaks ACP: "${calledAs()} run --agent 'acp:<command>'".`, width),
		...wrapped('Hook test: the permission hook of the agent blocked a call on this machine.', width),
		...wrapped(`Proven: see "${calledAs()} agents --matrix".`, width),
	];
}

/** Claims only what the conformance run proved with the real program. */
function claimOf({ proven }: AgentRow, isMade: boolean, cell: string): string {
	if (!isMade) return 'no';
	const seen = proven?.cells[cell];
	return seen ? outcomeOf(seen) : NOT_YET;
}

const PROBLEMS: Record<ProgramProblem['kind'], string> = {
	missing: 'not found',
	'too-old': 'too old',
	crashed: 'fails',
	hung: 'hangs',
	garbage: 'unknown program',
};

function versionOf({ program }: AgentRow): string {
	if (program === null) return '-';
	const words = program.problem && PROBLEMS[program.problem.kind];
	return [program.version, words].filter((part) => part !== null).join(', ');
}

function guardOf({ guardProof, program }: AgentRow): string {
	if (program?.problem) return '-';
	if (guardProof === null) return 'none';
	return { guarded: 'blocked', 'not-guarded': FAILED, 'not-proven': NOT_TESTED }[guardProof.state];
}

function guardSentence(row: AgentRow): string[] {
	const { id, guardProof } = row;
	return guardOf(row) === FAILED ? [`${id}: ${guardWords(guardProof)}.`] : [];
}

const NOT_YET = 'not proven';
const NOT_TESTED = 'not tested';
const FAILED = 'failed';

function provenOf({ proven, program }: AgentRow): string {
	if (proven === null) return NOT_YET;
	const outcomes = Object.values(proven.cells).map(({ outcome }) => outcome);
	const passed = outcomes.filter((outcome) => outcome === 'pass').length;
	const other = program?.version && program.version !== proven.version ? `, with ${proven.version}` : '';
	return `${passed} of ${outcomes.length}${other}`;
}

/** Every cell, and below the table the reasons of those that did not pass. */
export function toMatrix(rows: readonly AgentRow[], width: number): string[] {
	const names = [...new Set(rows.flatMap(({ proven }) => Object.keys(proven?.cells ?? {})))];
	const notYet = rows.filter(({ proven }) => proven === null).map(({ id }) => `${id}: ${NOT_YET}.`);
	if (names.length === 0) return notYet.flatMap((sentence) => wrapped(sentence, width));
	const proven = rows.flatMap(({ id, proven: one }) => (one ? [{ id, ...one }] : []));
	const lines = names.map((name) => [name, ...proven.map(({ cells }) => outcomeOf(cells[name]))]);
	const reasons = proven.flatMap(({ id, cells }) =>
		Object.entries(cells).flatMap(([name, { outcome, reason }]) =>
			reason === undefined ? [] : [`${id}, ${name}: ${outcome === 'fail' ? 'fails' : 'not supported'}: ${reason}`],
		),
	);
	return [
		toTable(['', ...proven.map(({ id }) => id)], [...lines, ['with version', ...proven.map(({ version }) => version)]]),
		...spaced([...reasons, ...notYet].flatMap((sentence) => wrapped(sentence, width))),
	];
}

function outcomeOf(cell: ProvenAgent['cells'][string] | undefined): string {
	if (!cell) return '-';
	return { pass: 'yes', unsupported: 'no', fail: 'FAILS' }[cell.outcome];
}

function spaced(lines: readonly string[]): string[] {
	return lines.length === 0 ? [] : ['', ...lines];
}

/** Continuation lines are indented. */
function wrapped(sentence: string, width: number): string[] {
	const [first = '', ...rest] = wrap(sanitiseLine(sentence), width - 2);
	return [first, ...rest.map((line) => `  ${line}`)];
}
