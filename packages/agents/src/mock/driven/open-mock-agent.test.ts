import type { DrivenRequest } from '@roost/core/runtime/connection';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { promptId } from '@roost/protocol/ids';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { openMockAgent } from './open-mock-agent.ts';

const ALLOW: RuntimeDecision = { verdict: { type: 'allow' }, source: 'user' };
const NO_OPINION: RuntimeDecision = { verdict: { type: 'none' }, source: 'rule' };

/** Plays the gate: announced calls pass; permission requests wait unless `permission` decides them. */
function open(request: Partial<DrivenRequest> = {}, permission?: RuntimeDecision) {
	const timers = createManualTimers();
	let ids = 0;
	const { runtime, connection } = openMockAgent(
		{ cwd: '/project', gate: 'enforce', ...request },
		{ timers, now: timers.now, newId: () => `id-${++ids}` },
	);
	const reported: RuntimeEvent[] = [];
	runtime.onEvent((event) => {
		reported.push(event);
		if (event.hookName === 'PreToolUse' && event.payload) runtime.sendDecision(event.id, NO_OPINION);
		if (event.hookName === 'PermissionRequest' && permission) runtime.sendDecision(event.id, permission);
	});
	runtime.start();
	const names = () => reported.map(({ hookName }) => hookName).filter((name, at, all) => name !== all[at - 1]);
	const last = (name: string) => reported.findLast(({ hookName }) => hookName === name);
	return { runtime, connection, timers, sent: reported, names, last };
}

describe('scripted agent that accepts prompts', () => {
	it('streams its response in pieces', async () => {
		const { connection, timers, sent: reported, last } = open();
		await connection.sendPrompt(prompt('explain it'));
		timers.advance(200);
		const pieces = reported.filter(({ hookName }) => hookName === 'MessageDisplay');
		expect(pieces.length).toBeGreaterThan(3);
		expect(pieces.every(({ payload }) => JSON.stringify(payload).includes('"final":false'))).toBe(true);
		timers.advance(60_000);
		expect(last('MessageDisplay')?.payload).toMatchObject({ final: true, delta: 'answer.' });
		expect(last('Stop')?.payload).not.toHaveProperty('interrupted');
	});

	it('asks before it runs a command, and runs the approved input', async () => {
		const { connection, timers, names, last } = open(
			{},
			{ ...ALLOW, verdict: { type: 'allow', updatedInput: { command: 'ls' } } },
		);
		await connection.sendPrompt(prompt('run the tests'));
		timers.advance(60_000);
		expect(names()).toEqual([
			'SessionStart',
			'UserPromptSubmit',
			'MessageDisplay',
			'PreToolUse',
			'PermissionRequest',
			'PostToolUse',
			'MessageDisplay',
			'Stop',
		]);
		expect(last('PostToolUse')?.payload).toMatchObject({ tool_input: { command: 'ls' } });
		expect(await connection.getState()).toEqual({ status: 'idle' });
	});

	it.each([
		['a denial', { verdict: { type: 'deny', message: 'not now' }, source: 'user' }, 'not now'],
		['no opinion', NO_OPINION, 'nobody allowed it'],
	] as const)('does not run the command after %s, and reports it', async (_what, decision, reason) => {
		const { connection, timers, names, sent: reported } = open({}, decision);
		await connection.sendPrompt(prompt('run the tests'));
		timers.advance(60_000);
		expect(names()).not.toContain('PostToolUse');
		expect(JSON.stringify(reported)).toContain(reason);
		expect(names().at(-1)).toBe('Stop');
	});

	it('stops after a denial with interrupt', async () => {
		const verdict = { type: 'deny', message: 'no', interrupt: true } as const;
		const { connection, timers, last } = open({}, { verdict, source: 'user' });
		await connection.sendPrompt(prompt('run the tests'));
		timers.advance(60_000);
		expect(last('Stop')?.payload).toMatchObject({ interrupted: true });
	});

	it('fails if the prompt asks for it', async () => {
		const { connection, timers, last } = open();
		await connection.sendPrompt(prompt('fail, please'));
		timers.advance(60_000);
		expect(last('StopFailure')?.payload).toMatchObject({ error: 'the model is overloaded' });
		expect(await connection.getState()).toEqual({ status: 'error' });
	});

	it('settles the pending request when it is interrupted while asking', async () => {
		const { runtime, connection, timers, last, names } = open();
		const settled: RuntimeDecision[] = [];
		runtime.onDecision((_, decision) => settled.push(decision));
		await connection.sendPrompt(prompt('run the tests'));
		timers.advance(2_000);
		expect(await connection.getState()).toEqual({ status: 'working', currentTool: 'Bash' });
		await connection.abort();
		expect(settled.at(-1)).toMatchObject({ source: 'system', reason: 'the agent stopped waiting' });
		expect(last('PostToolUseFailure')?.payload).toMatchObject({ is_interrupt: true });
		expect(names().at(-1)).toBe('Stop');
	});

	it.each([
		[{ nativeId: 'native', fork: false }, 'resume', true],
		[{ nativeId: 'native', fork: true }, 'fork', false],
	])('resumes or forks a conversation: %j', (resume, source, same) => {
		const { last } = open({ resume });
		expect(last('SessionStart')?.payload).toMatchObject({ source });
		expect(last('SessionStart')?.sessionId === 'native').toBe(same);
	});

	it('switches the model and the permission mode', async () => {
		const { connection, timers, last } = open({ model: 'small', permissionMode: 'plan' });
		await connection.control({ type: 'model', model: 'large' });
		await connection.control({ type: 'permission-mode', mode: 'dontAsk' });
		await connection.sendPrompt(prompt('read it'));
		timers.advance(0);
		expect(last('PostModelSwitch')?.payload).toMatchObject({ from_model: 'small', to_model: 'large' });
		expect(last('UserPromptSubmit')?.context.permissionMode).toBe('dontAsk');
	});
});

function prompt(text: string) {
	return { id: promptId.parse(`the prompt "${text}"`), text };
}
