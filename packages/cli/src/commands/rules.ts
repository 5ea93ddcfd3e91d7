// roost rules: lists, adds, imports, removes and tests rules.
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { PRESET_NAMES, PRESETS, type PresetName } from '@roost/core/rules/presets';
import { decidingRules, NOT_COVERED, ruleInWords, UNDECIDED, whyInWords } from '@roost/core/rules/rule-words';
import type { RuleBody, RuleTestResult } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Rule, ruleDecision, ruleScope } from '@roost/protocol/rule';
import { askYes } from '../output/ask-yes.ts';
import { fail, unwrap } from '../output/exit.ts';
import { styleFor } from '../output/feed-line.ts';
import { parseDuration, parseObject } from '../output/parse-input.ts';
import { print } from '../output/print.ts';
import { toHistoryText, toListedRules, toRuleList } from '../output/rule-table.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';

const NO_RULES = 'No rules. Add one: roost rules add deny Bash --pattern "rm -rf *"';

export async function listRules(options: { json?: boolean }): Promise<void> {
	const connected = unwrap(await connectOrStart());
	const { api } = connected;
	const [rules, sessions] = await Promise.all([api.rules.list(), api.record.sessions()]);
	const now = Date.now();
	const listed = toListedRules(unwrap(rules), unwrap(sessions), { projectPath: (await projectHere()).path, now });
	const faint = (text: string) => (styleFor(process.stdout, process.env).colour ? `\x1b[2m${text}\x1b[0m` : text);
	const text = listed.length === 0 ? NO_RULES : toRuleList(listed, now, faint);
	await print(options, listed, [text]);
}

export type RuleOptions = { pattern?: string; scope: string; session?: string; for?: string };

type AddOptions = RuleOptions & { preset?: string; yes?: boolean; json?: boolean };

export async function addRule(decision: string | undefined, tool: string | undefined, options: AddOptions): Promise<void> {
	if (options.preset !== undefined) {
		if (decision !== undefined || options.pattern !== undefined)
			throw new AppError('usage', '--preset brings its own rules: leave out the decision, tool and --pattern.');
		return await addPreset(options.preset, options);
	}
	if (decision === undefined || tool === undefined)
		throw new AppError('usage', 'Name a decision and a tool, or a --preset: run "roost rules add --help".');
	const body = unwrap(await toRuleBody(decision, tool, options));
	const connected = unwrap(await connectOrStartToDecide('rules add'));
	const added = unwrap(await connected.api.rules.add(body));
	await print(options, added, [`Rule ${ruleInWords(added, Date.now())}`]);
}

export async function removeRule(id: string, options: { json?: boolean }): Promise<void> {
	const named = ruleId.safeParse(id);
	if (!named.success) throw new AppError('usage', 'Name the rule by its ID. Run "roost rules" to list rules.');
	const connected = unwrap(await connectOrStartToDecide('rules remove'));
	unwrap(await connected.api.rules.remove({ id: named.data }));
	await print(options, { removed: true }, [`Rule ${id} removed.`]);
}

export async function toRuleBody(decision: string, tool: string, options: RuleOptions): Promise<Result<RuleBody>> {
	const message = ruleDecision.safeParse(decision);
	if (!message.success) return err(new AppError('usage', `A decision must be allow, deny or ask; it was "${decision}".`));
	const place = await toRulePlace(options);
	return place.ok ? ok({ tool, argsPattern: options.pattern, decision: message.data, ...place.value }) : place;
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
	if (decision === undefined) throw new AppError('usage', '--history needs a --decision: allow, deny or ask.');
	if (options.input !== undefined) throw new AppError('usage', '--history tries a rule, not a call: leave out --input.');
	const count = Number(calls);
	const isCount = Number.isInteger(count) && count >= 1 && count <= MOST_CALLS;
	if (!isCount) throw new AppError('usage', `--calls takes a whole number from 1 to ${MOST_CALLS}.`);
	const rule = unwrap(await toRuleBody(decision, tool, options));
	const connected = unwrap(await connectOrStart());
	const history = unwrap(await connected.api.rules.history({ rule, calls: count }));
	await print(options, history, [toHistoryText(history)]);
}

const MOST_CALLS = 5_000;

async function testCall(options: TestOptions): Promise<void> {
	if (options.input === undefined) {
		throw new AppError('usage', 'Nothing to test. Use --input with the input of a call, or --history with a --decision.');
	}
	const input = unwrap(parseObject(options.input, '--input takes the input of the call as a JSON object.'));
	const connected = unwrap(await connectOrStart());
	const project = await projectHere();
	const result = unwrap(await connected.api.rules.test({ tool: options.tool, input, projectId: project.path }));
	await print(options, result, [inWords(result, Date.now())]);
}

function inWords(result: RuleTestResult, now: number): string {
	const { decision, parts = [] } = result;
	const by = decidingRules(result);
	const why = whyInWords(result);
	const because = why === '' ? '' : `\n${why}`;
	const list = by.map((each) => ruleInWords(each, now)).join('; ');
	const verdict = by.length === 0 ? UNDECIDED : `${decision}, by rule${by.length > 1 ? 's' : ''} ${list}`;
	if (parts.length === 0) return `${verdict}${because}`;
	const cells = parts.map((part) => [part.decision, part.text, part.rule ? ruleInWords(part.rule, now) : NOT_COVERED]);
	return `${verdict}${because}\n\n${toTable(['DECISION', 'PART', 'RULE'], cells)}`;
}

type SeveralOptions = Omit<RuleOptions, 'pattern'> & { yes?: boolean; json?: boolean };
type RuleText = Pick<RuleBody, 'tool' | 'argsPattern' | 'decision'>;
type Skipped = { decision: string; text: string; why: string };

export async function addPreset(preset: string, options: SeveralOptions): Promise<void> {
	if (!isPreset(preset)) throw new AppError('usage', `--preset takes ${PRESET_NAMES.join(', ')}; it was "${preset}".`);
	const { name, about, patterns } = PRESETS[preset];
	const messages = patterns.map((argsPattern): RuleText => ({ tool: 'Bash', argsPattern, decision: 'allow' }));
	await addSeveral('rules add', messages, [], { ...options, title: `Preset ${name}: ${about}` });
}

function isPreset(name: string): name is PresetName {
	return PRESET_NAMES.some((known) => known === name);
}

export async function importRules(from: string, options: SeveralOptions): Promise<void> {
	const { AGENT_KINDS, findKind } = await import('@roost/agents/kinds');
	const readPermissions = findKind(from)?.readPermissions;
	if (!readPermissions) {
		const names = AGENT_KINDS.flatMap((kind) => (kind.readPermissions ? kind.known.id : [])).join(', ');
		throw new AppError('usage', `Rules can be imported from ${names}; it was "${from}".`);
	}
	const read = unwrap(await readPermissions(process.env));
	const { rules, skipped, file } = read;
	await addSeveral('rules import', rules, skipped, { ...options, title: `Permission rules in ${file}` });
}

async function addSeveral(
	command: string,
	messages: readonly RuleText[],
	skipped: readonly Skipped[],
	options: SeveralOptions & { title: string },
): Promise<void> {
	const place = unwrap(await toRulePlace(options));
	const connected = unwrap(await connectOrStartToDecide(command));
	const { api } = connected;
	const known = unwrap(await api.rules.list());
	const bodies = messages.map((each): RuleBody => ({ ...each, ...place }));
	const wanted = bodies.filter((body, at) => !known.some((rule) => isSame(rule, body)) && isFirst(bodies, at));
	if (!options.json) process.stdout.write(preview(options.title, wanted, bodies.length - wanted.length, skipped));
	if (wanted.length > 0 && !options.yes) {
		const agreed = await askYes(`Add ${plural(wanted.length, 'rule')}?`, {
			...options,
			otherwise: `Nothing was changed: run it again with --yes to add ${wanted.length > 1 ? 'these rules' : 'this rule'}.`,
		});
		if (!agreed) return void process.stdout.write('No rules added.\n');
	}
	const added: Rule[] = [];
	for (const body of wanted) {
		const rule = await api.rules.add(body);
		if (!rule.ok) return fail(rule.error, options, { added });
		added.push(rule.value);
	}
	await print(options, { added, skipped }, [`Added ${plural(added.length, 'rule')}.`]);
}

/** A rule that expires is never the same. */
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
		...(there > 0 ? [`Already there: ${plural(there, 'rule')}.`] : []),
		...skipped.map(({ decision, text, why }) => sanitiseLine(`Skipped ${decision} ${text}: ${why}.`)),
	];
	return `${parts.join('\n')}\n`;
}
