import { type Rule, rule } from '@roost/protocol/rule';
import { describe, expect, it } from 'vitest';
import type { EventBase, RuntimeEvent } from '../runtime/event.ts';
import { readReport } from '../runtime/normal-form/read-report.ts';
import { type ControllerContext, control } from './controller.ts';

const NO_RULE = { handled: true, decision: { verdict: { type: 'none' }, source: 'rule', reason: 'no rule', noRule: true } };

function event(hookName: string, tool: string | undefined, input: unknown, fields: Partial<EventBase> = {}): RuntimeEvent {
	return {
		id: 'e1',
		timestamp: 1,
		sessionId: 'native',
		...(tool !== undefined && { toolName: tool }),
		context: { cwd: '/repo', transcriptPath: '' },
		interaction: { expectsDecision: true },
		...fields,
		...readReport(hookName, { tool_name: tool, tool_input: input }),
	};
}

function makeRule(id: string, decision: string, tool: string, argsPattern?: string): Rule {
	return rule.parse({ id, decision, tool, argsPattern, scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 1 });
}

function context(rules: Rule[] = [], fields: Partial<ControllerContext> = {}): ControllerContext {
	const scope = { sessionId: 's1', projectId: 'p1' };
	return {
		rules,
		builtinDenies: [],
		scope,
		questionHook: 'PreToolUse',
		allowHook: 'PermissionRequest',
		gate: 'observe',
		...fields,
	};
}

const pre = (command: string) => event('PreToolUse', 'Bash', { command });
const request = (command: string, fields?: Partial<EventBase>) => event('PermissionRequest', 'Bash', { command }, fields);
const allowGit = makeRule('r1', 'allow', 'Bash', 'git *');
const denyRm = makeRule('r2', 'deny', 'Bash', 'rm *');
const askPush = makeRule('r3', 'ask', 'Bash', 'git push *');

describe('PreToolUse control', () => {
	it('denies by a deny rule and names the rule in the message', () => {
		const reason = 'Denied by rule r2 (Bash rm *)';
		expect(control(pre('ls; rm x'), context([allowGit, denyRm]))).toEqual({
			handled: true,
			decision: { verdict: { type: 'deny', message: reason }, source: 'rule', reason, ruleId: 'r2' },
		});
	});
	it('opens an ask for an ask rule that competes with an allow of the same scope', () => {
		expect(control(pre('git push'), context([allowGit, askPush]))).toEqual({
			handled: true,
			ask: {
				kind: 'permission',
				tool: 'Bash',
				input: { command: 'git push' },
				risk: 'medium',
				reason: 'rule r3 (Bash git push *) says ask',
			},
		});
	});
	it('opens an ask for a line that may evade a deny if the agent bypasses permissions', () => {
		const hidden = 'x=rm; $x y';
		const reason = 'rule r2 (Bash rm *) may apply: the name of a command is hidden in $x';
		const bypass = { permissionMode: 'bypassPermissions' };
		expect(control(pre(hidden), context([denyRm], bypass))).toMatchObject({ ask: { kind: 'permission', reason } });
		expect(control(pre(hidden), context([denyRm, makeRule('r4', 'allow', 'Bash')]))).toMatchObject({ ask: { reason } });
		expect(control(pre('npm test'), context([denyRm], bypass))).toEqual(NO_RULE);
		expect(control(pre(hidden), context([], bypass))).toEqual(NO_RULE);
		expect(control(pre(hidden), context([denyRm]))).toEqual(NO_RULE);
	});
	it('has no opinion for an allow rule or when no rule matches', () => {
		expect(control(pre('git log'), context([allowGit]))).toEqual(NO_RULE);
		expect(control(pre('make'), context())).toEqual(NO_RULE);
		expect(control(pre('make'), context([], { permissionMode: 'dontAsk' }))).toEqual(NO_RULE);
	});
});

describe('permission request', () => {
	it('is allowed by several rules that cover its parts, and names all of them', () => {
		const allowLs = makeRule('r5', 'allow', 'Bash', 'ls *');
		expect(control(request('git log && ls -l'), context([allowGit, allowLs]))).toMatchObject({
			decision: {
				verdict: { type: 'allow' },
				reason: 'allowed by rules r1 (Bash git *), r5 (Bash ls *)',
				ruleId: 'r1',
				ruleIds: ['r1', 'r5'],
			},
		});
	});
	it('opens an ask that lists the parts no rule covers', () => {
		const reason = (line: string) => control(request(line), context([allowGit]));
		expect(reason('git log && make a; make b')).toMatchObject({ ask: { reason: 'no rule covers "make a", "make b"' } });
		expect(reason('make a && make b')).toMatchObject({ ask: { reason: 'no rule matched' } });
		expect(reason(`git log; a; b; c; d ${'x'.repeat(80)}`)).toMatchObject({
			ask: { reason: 'no rule covers "a", "b", "c" and 1 more' },
		});
	});
	it('opens an ask that explains why its rules cannot be combined', () => {
		const allowExport = makeRule('r5', 'allow', 'Bash', 'export *');
		expect(control(request('export A=1 && git log'), context([allowGit, allowExport]))).toMatchObject({
			ask: {
				reason: 'its parts are allowed by several rules, which do not add up: export changes how the rest of the line runs',
			},
		});
	});
	it('is denied by a deny rule and allowed by an allow rule', () => {
		const denied = 'Denied by rule r2 (Bash rm *)';
		expect(control(request('rm x'), context([denyRm]))).toEqual({
			handled: true,
			decision: { verdict: { type: 'deny', message: denied }, source: 'rule', reason: denied, ruleId: 'r2' },
		});
		const allowed = 'allowed by rule r1 (Bash git *)';
		expect(control(request('git log'), context([allowGit]))).toEqual({
			handled: true,
			decision: { verdict: { type: 'allow' }, source: 'rule', reason: allowed, ruleId: 'r1' },
		});
	});
	it('is allowed at PreToolUse if the agent supports it, except in plan mode or for harmless tools', () => {
		const early = { allowHook: 'PreToolUse' } as const;
		const rules = [allowGit, makeRule('r6', 'allow', 'Read')];
		expect(control(pre('git log'), context(rules, early))).toMatchObject({
			decision: { verdict: { type: 'allow' }, ruleId: 'r1' },
		});
		expect(control(pre('git log'), context(rules))).toEqual(NO_RULE);
		expect(control(pre('make'), context(rules, early))).toEqual(NO_RULE);
		expect(control(pre('git log'), context(rules, { ...early, permissionMode: 'plan' }))).toEqual(NO_RULE);
		expect(control(pre('make'), context(rules, { ...early, permissionMode: 'bypassPermissions' }))).toEqual(NO_RULE);
		expect(control(event('PreToolUse', 'Read', { file_path: '/a' }), context(rules, early))).toEqual(NO_RULE);
		expect(control(pre('git push'), context([allowGit, askPush], early))).toHaveProperty('ask');
	});
	it('opens an ask when an ask rule or no rule matches', () => {
		expect(control(request('git push'), context([allowGit, askPush]))).toMatchObject({
			ask: { reason: 'rule r3 (Bash git push *) says ask' },
		});
		expect(control(request('rm -rf x'), context([allowGit]))).toEqual({
			handled: true,
			ask: { kind: 'permission', tool: 'Bash', input: { command: 'rm -rf x' }, risk: 'high', reason: 'no rule matched' },
		});
	});
	it('is denied when no rule matches and the session or the agent is in permission mode dontAsk', () => {
		const denied = { decision: { verdict: { type: 'deny' }, source: 'system' } };
		const reported = { context: { cwd: '', transcriptPath: '', permissionMode: 'dontAsk' } };
		expect(control(request('make'), context([], { permissionMode: 'dontAsk' }))).toMatchObject(denied);
		expect(control(request('make', reported), context())).toMatchObject(denied);
		expect(control(request('make', reported), context([], { permissionMode: 'default' }))).toHaveProperty('ask');
		expect(control(request('git log'), context([allowGit], { permissionMode: 'dontAsk' }))).toMatchObject({
			decision: { ruleId: 'r1' },
		});
		expect(control(request('git push'), context([askPush], { permissionMode: 'dontAsk' }))).toHaveProperty('ask');
	});
});

describe('built-in denies', () => {
	it('take precedence over every rule, at both hooks', () => {
		const builtin = makeRule('builtin:asks', 'deny', 'Bash', 'roost allow *');
		const own = context([makeRule('r9', 'allow', 'Bash')], { builtinDenies: [builtin] });
		for (const asked of [pre('roost allow a1'), request('cd x && roost allow a1')]) {
			expect(control(asked, own)).toMatchObject({ decision: { verdict: { type: 'deny' }, ruleId: 'builtin:asks' } });
		}
	});
});

describe('question', () => {
	const asked = (hookName: string) => event(hookName, 'AskUserQuestion', { questions: [] });

	it('opens an ask only at the hook where it can be answered', () => {
		const ask = {
			kind: 'question',
			tool: 'AskUserQuestion',
			input: { questions: [] },
			risk: 'low',
			reason: 'the agent asks a question',
		};
		expect(control(asked('PreToolUse'), context())).toEqual({ handled: true, ask });
		expect(control(asked('PermissionRequest'), context())).toEqual(NO_RULE);
		expect(control(asked('PermissionRequest'), context([], { questionHook: 'PermissionRequest' }))).toEqual({
			handled: true,
			ask,
		});
		expect(control(asked('PreToolUse'), context([], { questionHook: 'PermissionRequest' }))).toEqual(NO_RULE);
		expect(control(asked('PreToolUse'), context([], { questionHook: null }))).toEqual(NO_RULE);
	});
	it('is never answered by an allow rule or a permission mode, but can be denied', () => {
		const allowed = context([makeRule('r1', 'allow', '*')], { permissionMode: 'dontAsk', questionHook: 'PermissionRequest' });
		expect(control(asked('PermissionRequest'), allowed)).toMatchObject({ ask: { kind: 'question' } });
		expect(control(asked('PreToolUse'), context([makeRule('r1', 'deny', 'AskUserQuestion')]))).toMatchObject({
			decision: { verdict: { type: 'deny' }, ruleId: 'r1' },
		});
	});
});

describe('other events', () => {
	it('are not handled if the agent does not wait for a decision, regardless of the rules', () => {
		const silent = event('PreToolUse', 'Bash', { command: 'rm x' }, { interaction: { expectsDecision: false } });
		expect(control(silent, context([denyRm]))).toEqual({ handled: false });
		expect(control(event('Stop', undefined, undefined, { interaction: { expectsDecision: false } }), context())).toEqual({
			handled: false,
		});
	});
	it('get no opinion if the agent waits at a hook that Roost does not gate', () => {
		for (const hookName of ['Stop', 'UserPromptSubmit', 'SomethingNew'])
			expect(control(event(hookName, undefined, undefined), context())).toEqual(NO_RULE);
	});
	it('are denied in enforce mode and passed through in observe mode if a gated request is malformed', () => {
		const broken = [
			event('PermissionRequest', undefined, {}),
			event('PreToolUse', 'Bash', 'text'),
			{ ...event('SomethingNew', 'Bash', {}), ...readReport('PreToolUse', null) },
		];
		for (const bad of broken) {
			expect(control(bad, context())).toEqual(NO_RULE);
			expect(control(bad, context([], { gate: 'enforce' }))).toMatchObject({
				decision: { verdict: { type: 'deny' }, source: 'system' },
			});
		}
	});
});
