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

describe('the gate of a driven agent', () => {
	it('asks for permission after nobody objected, and takes what is said there', async () => {
		const allowing = openGate({ decide: (hook) => (hook === 'PreToolUse' ? NONE : ALLOW) });
		expect(await allowing.permit(call('Bash'))).toMatchObject({ type: 'allow' });
		expect(allowing.asked()).toEqual(['PreToolUse', 'PermissionRequest']);
		const denying = openGate({ decide: (hook) => (hook === 'PreToolUse' ? NONE : DENY) });
		expect(await denying.permit(call('Bash'))).toMatchObject({ type: 'deny', message: 'no' });
	});

	it('asks nobody about what is refused at once, or allowed at once', async () => {
		for (const [decision, type] of [
			[DENY, 'deny'],
			[ALLOW, 'allow'],
		] as const) {
			const gate = openGate({ decide: () => decision });
			expect(await gate.permit(call('Bash'))).toMatchObject({ type });
			expect(gate.asked()).toEqual(['PreToolUse']);
		}
	});

	it('takes silence for a denial', async () => {
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

	it('lets no call pass unasked that a rule wants asked, where the agent asks nobody', async () => {
		const ask: RuntimeDecision = { verdict: { type: 'ask', message: 'ask first' }, source: 'rule' };
		const gate = openGate({ decide: (hook) => (hook === 'PreToolUse' ? ask : ALLOW) });
		expect(await gate.announce(call('Bash'))).toEqual({ type: 'deny', message: 'ask first' });
		expect(await gate.permit(call('Edit'))).toMatchObject({ type: 'allow' });
		expect(gate.asked().at(-1)).toBe('PermissionRequest');
	});

	it('leaves tools out of reach that the session may not use', async () => {
		const gate = openGate({ allowedTools: ['Read'], decide: () => ALLOW });
		expect(await gate.permit(call('Read'))).toMatchObject({ type: 'allow' });
		expect(await gate.permit(call('Bash'))).toMatchObject({ type: 'deny', message: expect.stringContaining('Bash') });
	});

	it('gives up where the agent does, and stops the turn where somebody wants that', async () => {
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

	it('let everything pass where nobody is to be asked, but what a rule refuses', async () => {
		const gate = asking('bypassPermissions');
		expect(await gate.permit(call('Bash'))).toEqual({ type: 'allow' });
		const denied = openGate({ mode: 'bypassPermissions', decide: () => DENY });
		expect(await denied.permit(call('Bash'))).toMatchObject({ type: 'deny' });
	});

	it('let nothing but reading pass while a plan is made', async () => {
		const gate = openGate({ mode: 'plan', decide: (hook) => (hook === 'PreToolUse' ? NONE : ALLOW) });
		expect(await gate.permit(call('Edit', { file_path: 'a' }))).toMatchObject({ type: 'deny' });
		expect(await gate.permit(call('Read'))).toMatchObject({ type: 'allow' });
		expect(gate.asked()).toEqual(['PreToolUse', 'PreToolUse', 'PermissionRequest']);
	});

	it('let edits inside the project pass, and ask about those that leave it by a link', async () => {
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
