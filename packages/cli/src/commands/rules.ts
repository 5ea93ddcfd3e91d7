// roost rules: lists, adds, imports, removes and tests rules.

import { sanitiseLine } from '@roost/core/display/sanitise';
import { PRESET_NAMES, PRESETS, type PresetName } from '@roost/core/rules/presets';
import type { RuleBody, RuleTestResult } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Rule, ruleDecision, ruleScope } from '@roost/protocol/rule';
import { askYes } from '../output/ask-yes.ts';
import { fail } from '../output/exit.ts';
import { styleFor } from '../output/feed-line.ts';
import { parseDuration, parseObject } from '../output/parse-input.ts';
import { ruleInWords, toHistoryText, toListedRules, toRuleList } from '../output/rule-table.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';

const NO_RULES = 'No rules. Add one: roost rules add deny Bash --pattern "rm -rf *"';

export async function listRules(options: { json?: boolean }): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const { api } = connected.value;
	const [rules, sessions] = await Promise.all([api.rules.list(), api.record.sessions()]);
	if (!rules.ok) return fail(rules.error, options);
	if (!sessions.ok) return fail(sessions.error, options);
	const now = Date.now();
	const listed = toListedRules(rules.value, sessions.value, { projectPath: (await projectHere()).path, now });
	const faint = (text: string) => (styleFor(process.stdout, process.env).colour ? `\x1b[2m${text}\x1b[0m` : text);
	const text = listed.length === 0 ? NO_RULES : toRuleList(listed, now, faint);
	process.stdout.write(options.json ? `${JSON.stringify(listed)}\n` : `${text}\n`);
}

export type RuleOptions = { pattern?: string; scope: string; session?: string; for?: string };

type AddOptions = RuleOptions & { preset?: string; yes?: boolean; json?: boolean };

export async function addRule(decision: string | undefined, tool: string | undefined, options: AddOptions): Promise<void> {
	if (options.preset !== undefined) {
		if (decision !== undefined || options.pattern !== undefined)
			return fail(new AppError('usage', '--preset brings its own rules: leave out the decision, tool and --pattern.'), options);
		return await addPreset(options.preset, options);
	}
	if (decision === undefined || tool === undefined)
		return fail(new AppError('usage', 'Name a decision and a tool, or a --preset: run "roost rules add --help".'), options);
	const body = await toRuleBody(decision, tool, options);
	if (!body.ok) return fail(body.error, options);
	const connected = await connectOrStartToDecide('rules add');
	if (!connected.ok) return fail(connected.error, options);
	const added = await connected.value.api.rules.add(body.value);
	if (!added.ok) return fail(added.error, options);
	const words = `Rule ${ruleInWords(added.value, Date.now())}`;
	process.stdout.write(options.json ? `${JSON.stringify(added.value)}\n` : `${words}\n`);
}

export async function removeRule(id: string, options: { json?: boolean }): Promise<void> {
	const named = ruleId.safeParse(id);
	if (!named.success) return fail(new AppError('usage', 'Name the rule by its ID. Run "roost rules" to list rules.'), options);
	const connected = await connectOrStartToDecide('rules remove');
	if (!connected.ok) return fail(connected.error, options);
	const removed = await connected.value.api.rules.remove({ id: named.data });
	if (!removed.ok) return fail(removed.error, options);
	process.stdout.write(options.json ? '{"removed":true}\n' : `Rule ${id} removed.\n`);
}

export async function toRuleBody(decision: string, tool: string, options: RuleOptions): Promise<Result<RuleBody>> {
	const said = ruleDecision.safeParse(decision);
	if (!said.success) return err(new AppError('usage', `A rule says allow, deny or ask; it was "${decision}".`));
	const place = await toRulePlace(options);
	return place.ok ? ok({ tool, argsPattern: options.pattern, decision: said.data, ...place.value }) : place;
}

export type RulePlace = Pick<RuleBody, 'scope' | 'scopeId' | 'forMs'>;

/** Where a new rule applies, and for how long. */
export async function toRulePlace(options: Omit<RuleOptions, 'pattern'>): Promise<Result<RulePlace>> {
	const scope = ruleScope.safeParse(options.scope);
	if (!scope.success) return err(new AppError('usage', `--scope takes session, project or user; it was "${options.scope}".`));
	const duration = options.for === undefined ? ok(undefined) : parseDuration(options.for, '--for');
	if (!duration.ok) return duration;
	const scopeId = scope.data === 'project' ? (await projectHere()).path : options.session;
	return ok({ scope: scope.data, scopeId, ...(duration.value !== undefined && { forMs: duration.value }) });
}

export async function projectHere(): Promise<{ path: string }> {
	return await (await import('@roost/home/project')).findProject(process.cwd());
}

export type TestOptions = RuleOptions & {
	tool: string;
	input?: string;
	history?: boolean;
	decision?: string;
	calls: string;
	json?: boolean;
};

export async function testRules(options: TestOptions): Promise<void> {
	return options.history ? testHistory(options) : testCall(options);
}

async function testHistory({ decision, tool, calls, ...options }: TestOptions): Promise<void> {
	if (decision === undefined) return fail(new AppError('usage', '--history needs a --decision: allow, deny or ask.'), options);
	if (options.input !== undefined)
		return fail(new AppError('usage', '--history tries a rule, not a call: leave out --input.'), options);
	const count = Number(calls);
	const isCount = Number.isInteger(count) && count >= 1 && count <= MOST_CALLS;
	if (!isCount) return fail(new AppError('usage', `--calls takes a whole number from 1 to ${MOST_CALLS}.`), options);
	const rule = await toRuleBody(decision, tool, options);
	if (!rule.ok) return fail(rule.error, options);
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const history = await connected.value.api.rules.history({ rule: rule.value, calls: count });
	if (!history.ok) return fail(history.error, options);
	process.stdout.write(options.json ? `${JSON.stringify(history.value)}\n` : `${toHistoryText(history.value)}\n`);
}

const MOST_CALLS = 5_000;

async function testCall(options: TestOptions): Promise<void> {
	if (options.input === undefined) {
		return fail(
			new AppError('usage', 'Say what to test: --input with the input of a call, or --history with a --decision.'),
			options,
		);
	}
	const input = parseObject(options.input, '--input takes the input of the call as a JSON object.');
	if (!input.ok) return fail(input.error, options);
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const project = await projectHere();
	const result = await connected.value.api.rules.test({ tool: options.tool, input: input.value, projectId: project.path });
	if (!result.ok) return fail(result.error, options);
	process.stdout.write(options.json ? `${JSON.stringify(result.value)}\n` : `${inWords(result.value, Date.now())}\n`);
}

function inWords({ decision, rule, rules, why, parts = [] }: RuleTestResult, now: number): string {
	const by = rules ?? (rule ? [rule] : []);
	const because = why === undefined ? '' : `\n${rule ? 'The rule may apply' : 'The rules do not add up'}: ${sanitiseLine(why)}.`;
	const list = by.map((each) => ruleInWords(each, now)).join('; ');
	const verdict = by.length === 0 ? UNDECIDED : `${decision}, by rule${by.length > 1 ? 's' : ''} ${list}`;
	if (parts.length === 0) return `${verdict}${because}`;
	const cells = parts.map((part) => [part.decision, part.text, part.rule ? ruleInWords(part.rule, now) : NOT_COVERED]);
	return `${verdict}${because}\n\n${toTable(['DECISION', 'PART', 'RULE'], cells)}`;
}

const UNDECIDED = 'No rule decides: you would be asked.';
const NOT_COVERED = 'no rule';

type SeveralOptions = Omit<RuleOptions, 'pattern'> & { yes?: boolean; json?: boolean };
type Said = Pick<RuleBody, 'tool' | 'argsPattern' | 'decision'>;
/** Why something was left out. */
type Skipped = { decision: string; text: string; why: string };

export async function addPreset(preset: string, options: SeveralOptions): Promise<void> {
	if (!isPreset(preset))
		return fail(new AppError('usage', `--preset takes ${PRESET_NAMES.join(', ')}; it was "${preset}".`), options);
	const { name, about, patterns } = PRESETS[preset];
	const said = patterns.map((argsPattern): Said => ({ tool: 'Bash', argsPattern, decision: 'allow' }));
	await addSeveral('rules add', said, [], { ...options, title: `Preset ${name}: ${about}` });
}

function isPreset(name: string): name is PresetName {
	return PRESET_NAMES.some((known) => known === name);
}

export async function importRules(from: string, options: SeveralOptions): Promise<void> {
	const { AGENT_KINDS, findKind } = await import('@roost/agents/kinds');
	const readPermissions = findKind(from)?.readPermissions;
	if (!readPermissions) {
		const names = AGENT_KINDS.flatMap((kind) => (kind.readPermissions ? kind.known.id : [])).join(', ');
		return fail(new AppError('usage', `Rules can be imported from ${names}; it was "${from}".`), options);
	}
	const read = await readPermissions(process.env);
	if (!read.ok) return fail(read.error, options);
	const { rules, skipped, file } = read.value;
	await addSeveral('rules import', rules, skipped, { ...options, title: `Permission rules in ${file}` });
}

async function addSeveral(
	command: string,
	said: readonly Said[],
	skipped: readonly Skipped[],
	options: SeveralOptions & { title: string },
): Promise<void> {
	const place = await toRulePlace(options);
	if (!place.ok) return fail(place.error, options);
	const connected = await connectOrStartToDecide(command);
	if (!connected.ok) return fail(connected.error, options);
	const { api } = connected.value;
	const known = await api.rules.list();
	if (!known.ok) return fail(known.error, options);
	const bodies = said.map((each): RuleBody => ({ ...each, ...place.value }));
	const wanted = bodies.filter((body, at) => !known.value.some((rule) => isSame(rule, body)) && isFirst(bodies, at));
	if (!options.json) process.stdout.write(preview(options.title, wanted, bodies.length - wanted.length, skipped));
	if (wanted.length > 0 && !options.yes) {
		const agreed = await askYes(`Add ${countRules(wanted.length)}?`, {
			...options,
			otherwise: `Nothing was changed: run it again with --yes to add ${wanted.length > 1 ? 'these rules' : 'this rule'}.`,
		});
		if (!agreed.ok) return fail(agreed.error, options);
		if (!agreed.value) return void process.stdout.write('No rules added.\n');
	}
	const added: Rule[] = [];
	for (const body of wanted) {
		const rule = await api.rules.add(body);
		if (!rule.ok) return fail(rule.error, options, { added });
		added.push(rule.value);
	}
	process.stdout.write(options.json ? `${JSON.stringify({ added, skipped })}\n` : `Added ${countRules(added.length)}.\n`);
}

/** One that expires is not the same. */
function isSame(rule: Rule, { decision, tool, argsPattern, scope, scopeId = 'user', forMs }: RuleBody): boolean {
	const isPlace =
		rule.scope === scope && (rule.projectPath ?? rule.scopeId) === scopeId && rule.expiresAt === undefined && forMs === undefined;
	return isPlace && rule.decision === decision && rule.tool === tool && rule.argsPattern === argsPattern;
}

function isFirst(bodies: readonly RuleBody[], at: number): boolean {
	const key = (body: RuleBody | undefined) => JSON.stringify([body?.decision, body?.tool, body?.argsPattern]);
	return bodies.findIndex((body) => key(body) === key(bodies[at])) === at;
}

function preview(title: string, wanted: readonly RuleBody[], there: number, skipped: readonly Skipped[]): string {
	const where = ({ scope, scopeId }: RuleBody) => (scope === 'user' ? 'user' : `${scope} ${scopeId ?? ''}`);
	const cells = wanted.map((body) => [body.decision, body.tool, body.argsPattern ?? '', where(body)]);
	const parts = [
		sanitiseLine(title),
		...(wanted.length > 0 ? [toTable(['DECISION', 'TOOL', 'PATTERN', 'SCOPE'], cells)] : []),
		...(there > 0 ? [`Already there: ${countRules(there)}.`] : []),
		...skipped.map(({ decision, text, why }) => sanitiseLine(`Skipped ${decision} ${text}: ${why}.`)),
	];
	return `${parts.join('\n')}\n`;
}

function countRules(rules: number): string {
	return `${rules} rule${rules === 1 ? '' : 's'}`;
}
