// roost rules: lists, adds and removes rules.
import type { RuleBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { ruleDecision, ruleScope } from '@roost/protocol/rule';
import { fail } from '../output/exit.ts';
import { styleFor } from '../output/feed-line.ts';
import { ruleInWords, toListedRules, toRuleList } from '../output/rule-table.ts';
import { connectOrStart } from '../runner/connect.ts';
import { connectOrStartToDecide } from '../runner/connect-to-decide.ts';
import { loadProject } from './lazy-parts.ts';
import { parseDuration } from './parse-duration.ts';

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
		return await (await import('./add-rules.ts')).addPreset(options.preset, options);
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
	return await (await loadProject()).findProject(process.cwd());
}
