import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { createEventReporter } from './event-reporter.ts';
import { createLiveGate, type LiveCall } from './gate.ts';
import { createOpenCalls } from './turns.ts';

const NONE: RuntimeDecision = { verdict: { type: 'none' }, source: 'rule' };
const ALLOW: RuntimeDecision = { verdict: { type: 'allow' }, source: 'user' };
const DENY: RuntimeDecision = { verdict: { type: 'deny', message: 'no' }, source: 'user' };
const call = (tool_name: string, tool_input = {}): LiveCall => ({ tool_use_id: tool_name, tool_name, tool_input });

type Decide = (hookName: string) => RuntimeDecision | undefined;

function openGate(options: { mode?: string; cwd?: string; allowedTools?: string[]; decide?: Decide } = {}) {
	const { cwd = '/project', decide = () => NONE } = options;
	const timers = createManualTimers();
	let count = 0;
	const reporter = createEventReporter({
		capabilities: {
			agent: 'any',
			canBlock: true,
			canAsk: true,
			questionHook: null,
			allowHook: 'PermissionRequest',
			takesPrompts: true,
			canInterrupt: true,
			canResume: true,
			canLimitTurns: false,
			gate: { gated: true },
		},
		request: { cwd, gate: 'enforce', permissionMode: options.mode },
		nativeId: 'native',
		timers,
		now: timers.now,
		newId: () => `event-${count++}`,
	});
	const events: RuntimeEvent[] = [];
	reporter.runtime.onEvent((event) => {
		events.push(event);
		const decision = event.interaction.expectsDecision ? decide(event.hookName) : undefined;
		if (decision) reporter.runtime.sendDecision(event.id, decision);
	});
	reporter.runtime.start();
	const calls = createOpenCalls();
	let interrupts = 0;
	const interrupt = () => void interrupts++;
	const gate = createLiveGate({ reporter, calls, cwd, allowedTools: options.allowedTools, interrupt });
	return { ...gate, reporter, timers, asked: () => events.map(({ hookName }) => hookName), interrupts: () => interrupts };
}

describe('gate of a driven agent', () => {
	it('requests permission if no rule objects, and follows the response', async () => {
		const allowing = openGate({ decide: (hook) => (hook === 'PreToolUse' ? NONE : ALLOW) });
		expect(await allowing.permit(call('Bash'))).toMatchObject({ type: 'allow' });
		expect(allowing.asked()).toEqual(['PreToolUse', 'PermissionRequest']);
		const denying = openGate({ decide: (hook) => (hook === 'PreToolUse' ? NONE : DENY) });
		expect(await denying.permit(call('Bash'))).toMatchObject({ type: 'deny', message: 'no' });
	});

	it('does not request permission for a call that is denied or allowed beforehand', async () => {
		for (const [decision, type] of [
			[DENY, 'deny'],
			[ALLOW, 'allow'],
		] as const) {
			const gate = openGate({ decide: () => decision });
			expect(await gate.permit(call('Bash'))).toMatchObject({ type });
			expect(gate.asked()).toEqual(['PreToolUse']);
		}
	});

	it('denies a call that gets no decision, or none in time', async () => {
		const gate = openGate({ decide: () => NONE });
		expect(await gate.permit(call('Bash'))).toMatchObject({ type: 'deny' });
		const slow = openGate({ decide: () => undefined });
		const answer = slow.permit(call('Bash'));
		slow.timers.advance(10_000);
		expect(await answer).toMatchObject({ type: 'deny', message: 'nobody answered in time' });
	});

	it('announces a call once', async () => {
		const gate = openGate({ decide: (hook) => (hook === 'PreToolUse' ? NONE : ALLOW) });
		expect(await gate.announce(call('Bash'))).toEqual({ type: 'allow' });
		expect(await gate.permit(call('Bash'))).toMatchObject({ type: 'allow' });
		expect(gate.asked()).toEqual(['PreToolUse', 'PermissionRequest']);
	});

	it('applies an ask rule by denying an announced call and requesting permission otherwise', async () => {
		const ask: RuntimeDecision = { verdict: { type: 'ask', message: 'ask first' }, source: 'rule' };
		const gate = openGate({ decide: (hook) => (hook === 'PreToolUse' ? ask : ALLOW) });
		expect(await gate.announce(call('Bash'))).toEqual({ type: 'deny', message: 'ask first' });
		expect(await gate.permit(call('Edit'))).toMatchObject({ type: 'allow' });
		expect(gate.asked().at(-1)).toBe('PermissionRequest');
	});

	it('denies tools that the session may not use', async () => {
		const gate = openGate({ allowedTools: ['Read'], decide: () => ALLOW });
		expect(await gate.permit(call('Read'))).toMatchObject({ type: 'allow' });
		expect(await gate.permit(call('Bash'))).toMatchObject({ type: 'deny', message: expect.stringContaining('Bash') });
	});

	it('denies a call that the agent aborts, and interrupts the turn if a denial asks for it', async () => {
		const gate = openGate({ decide: () => undefined });
		const leaving = new AbortController();
		const answer = gate.permit(call('Bash'), leaving.signal);
		leaving.abort();
		expect(await answer).toMatchObject({ type: 'deny' });
		expect(await gate.permit(call('Edit'), leaving.signal)).toMatchObject({ type: 'deny' });
		const stop: RuntimeDecision = { verdict: { type: 'deny', message: 'stop', interrupt: true }, source: 'user' };
		const stopped = openGate({ decide: () => stop });
		await stopped.permit(call('Bash'));
		expect(stopped.interrupts()).toBe(1);
	});
});

describe('permission modes', () => {
	const asking = (mode: string, cwd?: string) => openGate({ mode, ...(cwd ? { cwd } : {}), decide: () => NONE });

	it('bypassPermissions allows everything except calls that a rule denies', async () => {
		const gate = asking('bypassPermissions');
		expect(await gate.permit(call('Bash'))).toEqual({ type: 'allow' });
		const denied = openGate({ mode: 'bypassPermissions', decide: () => DENY });
		expect(await denied.permit(call('Bash'))).toMatchObject({ type: 'deny' });
	});

	it('plan denies edits, and allows reads that are approved', async () => {
		const gate = openGate({ mode: 'plan', decide: (hook) => (hook === 'PreToolUse' ? NONE : ALLOW) });
		expect(await gate.permit(call('Edit', { file_path: 'a' }))).toMatchObject({ type: 'deny' });
		expect(await gate.permit(call('Read'))).toMatchObject({ type: 'allow' });
		expect(gate.asked()).toEqual(['PreToolUse', 'PreToolUse', 'PermissionRequest']);
	});

	it('acceptEdits allows edits inside the project, but not outside it, even through a symlink', async () => {
		await using temp = await createTempDir();
		const cwd = join(temp.path, 'project');
		await mkdir(cwd);
		await writeFile(join(temp.path, 'other'), '');
		await symlink(temp.path, join(cwd, 'out'));
		const gate = asking('acceptEdits', cwd);
		const inside = (file_path: string, tool = 'Edit') => gate.permit({ ...call(tool, { file_path }), tool_use_id: file_path });
		expect(await inside('new/file')).toEqual({ type: 'allow' });
		expect(await inside(join(cwd, 'file'), 'Write')).toEqual({ type: 'allow' });
		for (const path of ['../other', 'out/other', join(temp.path, 'other'), '~/file'])
			expect(await inside(path), path).toMatchObject({ type: 'deny' });
		expect(await inside('command', 'Bash')).toMatchObject({ type: 'deny' });
	});
});
