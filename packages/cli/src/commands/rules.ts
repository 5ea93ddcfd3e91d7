// roost rules: what may happen unasked, what must be asked, what never happens.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { RuleBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Rule, ruleDecision, ruleScope } from '@roost/protocol/rule';
import { connectOrStart } from '../connect.ts';
import { connectOrStartToDecide } from '../inside-agent.ts';
import { loadProject } from '../open-runner.ts';
import { fail } from '../output/exit.ts';
import { toHistoryText } from '../output/rule-history.ts';
import { toTable } from '../output/table.ts';
import { parseObject } from '../parse-object.ts';

export async function listRules(options: { json?: boolean }): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const rules = await connected.value.api.rules.list();
	if (!rules.ok) return fail(rules.error, options);
	if (options.json) process.stdout.write(`${JSON.stringify(rules.value)}\n`);
	else if (rules.value.length === 0) process.stdout.write('No rules. Add one: roost rules add deny Bash --pattern "rm -rf *"\n');
	else process.stdout.write(`${toTable(['RULE', 'DECISION', 'TOOL', 'PATTERN', 'SCOPE', 'BY'], rules.value.map(toCells))}\n`);
}

type RuleOptions = { pattern?: string; scope: string; session?: string };

export async function addRule(decision: string, tool: string, options: RuleOptions & { json?: boolean }): Promise<void> {
	const body = await toBody(decision, tool, options);
	if (!body.ok) return fail(body.error, options);
	const connected = await connectOrStartToDecide('rules add');
	if (!connected.ok) return fail(connected.error, options);
	const added = await connected.value.api.rules.add(body.value);
	if (!added.ok) return fail(added.error, options);
	process.stdout.write(
		options.json ? `${JSON.stringify(added.value)}\n` : `Rule ${added.value.id}: ${toWords(toCells(added.value).slice(1, 5))}\n`,
	);
}

export async function removeRule(id: string, options: { json?: boolean }): Promise<void> {
	const named = ruleId.safeParse(id);
	if (!named.success) return fail(new AppError('usage', 'Name the rule by its id: run "roost rules" to see them.'), options);
	const connected = await connectOrStartToDecide('rules remove');
	if (!connected.ok) return fail(connected.error, options);
	const removed = await connected.value.api.rules.remove(named.data);
	if (!removed.ok) return fail(removed.error, options);
	process.stdout.write(options.json ? '{"removed":true}\n' : `Rule ${id} is gone.\n`);
}

export type TestOptions = RuleOptions & {
	tool: string;
	input?: string;
	history?: boolean;
	decision?: string;
	calls: string;
	json?: boolean;
};

/** One call against the rules there are, or a rule that is not there yet against the calls on record. */
export async function testRules(options: TestOptions): Promise<void> {
	return options.history ? testHistory(options) : testCall(options);
}

async function testHistory({ decision, tool, calls, ...options }: TestOptions): Promise<void> {
	if (decision === undefined) return fail(new AppError('usage', '--history needs a --decision: allow, deny or ask.'), options);
	if (options.input !== undefined)
		return fail(new AppError('usage', '--history tries a rule, not a call: leave --input away.'), options);
	const count = Number(calls);
	const isCount = Number.isInteger(count) && count >= 1 && count <= MOST_CALLS;
	if (!isCount) return fail(new AppError('usage', `--calls takes a whole number from 1 to ${MOST_CALLS}.`), options);
	const rule = await toBody(decision, tool, options);
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
	const project = await (await loadProject()).findProject(process.cwd());
	const result = await connected.value.api.rules.test({ tool: options.tool, input: input.value, projectId: project.id });
	if (!result.ok) return fail(result.error, options);
	if (options.json) process.stdout.write(`${JSON.stringify(result.value)}\n`);
	else if (result.value.rule) {
		const because = result.value.why === undefined ? '' : `\nThe rule may apply: ${sanitiseLine(result.value.why)}.`;
		process.stdout.write(`${result.value.decision}, by rule ${toWords(toCells(result.value.rule))}${because}\n`);
	} else process.stdout.write('No rule matches: you would be asked.\n');
}

async function toBody(decision: string, tool: string, options: RuleOptions): Promise<Result<RuleBody>> {
	const said = ruleDecision.safeParse(decision);
	if (!said.success) return err(new AppError('usage', `A rule says allow, deny or ask; it was "${decision}".`));
	const scope = ruleScope.safeParse(options.scope);
	if (!scope.success) return err(new AppError('usage', `--scope takes session, project or user; it was "${options.scope}".`));
	const scopeId = scope.data === 'project' ? (await (await loadProject()).findProject(process.cwd())).id : options.session;
	return ok({ tool, argsPattern: options.pattern, decision: said.data, scope: scope.data, scopeId });
}

function toCells(rule: Rule): string[] {
	return [
		rule.id,
		rule.decision,
		rule.tool,
		rule.argsPattern ?? '',
		rule.scope === 'user' ? 'user' : `${rule.scope} ${rule.scopeId}`,
		rule.addedBy,
	];
}

function toWords(cells: readonly string[]): string {
	return sanitiseLine(cells.filter(Boolean).join(' '));
}
