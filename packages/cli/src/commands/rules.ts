// roost rules: what may happen unasked, what must be asked, what never happens.
import type { RuleBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Rule, ruleDecision, ruleScope } from '@roost/protocol/rule';
import { connectOrStart } from '../connect.ts';
import { connectOrStartToDecide } from '../inside-agent.ts';
import { loadProject } from '../open-runner.ts';
import { fail } from '../output/exit.ts';
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

export async function addRule(
	decision: string,
	tool: string,
	options: { pattern?: string; scope: string; session?: string; json?: boolean },
): Promise<void> {
	const body = await toBody(decision, tool, options);
	if (!body.ok) return fail(body.error, options);
	const connected = await connectOrStartToDecide('rules add');
	if (!connected.ok) return fail(connected.error, options);
	const added = await connected.value.api.rules.add(body.value);
	if (!added.ok) return fail(added.error, options);
	process.stdout.write(
		options.json
			? `${JSON.stringify(added.value)}\n`
			: `Rule ${added.value.id}: ${toCells(added.value).slice(1, 5).filter(Boolean).join(' ')}\n`,
	);
}

export async function removeRule(id: string, options: { json?: boolean }): Promise<void> {
	const connected = await connectOrStartToDecide('rules remove');
	if (!connected.ok) return fail(connected.error, options);
	const removed = await connected.value.api.rules.remove(ruleId.parse(id));
	if (!removed.ok) return fail(removed.error, options);
	process.stdout.write(options.json ? '{"removed":true}\n' : `Rule ${id} is gone.\n`);
}

export async function testRules(options: { tool: string; input: string; json?: boolean }): Promise<void> {
	const input = parseObject(options.input, '--input takes the input of the call as a JSON object.');
	if (!input.ok) return fail(input.error, options);
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const project = await (await loadProject()).findProject(process.cwd());
	const result = await connected.value.api.rules.test({ tool: options.tool, input: input.value, projectId: project.id });
	if (!result.ok) return fail(result.error, options);
	if (options.json) process.stdout.write(`${JSON.stringify(result.value)}\n`);
	else if (result.value.rule)
		process.stdout.write(`${result.value.decision}, by rule ${toCells(result.value.rule).filter(Boolean).join(' ')}\n`);
	else process.stdout.write('No rule matches: somebody would be asked.\n');
}

async function toBody(
	decision: string,
	tool: string,
	options: { pattern?: string; scope: string; session?: string },
): Promise<Result<RuleBody>> {
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
