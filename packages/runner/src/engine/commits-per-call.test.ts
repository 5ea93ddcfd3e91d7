// Counts the disk syncs of one tool call instead of timing them: each commit blocks the runner, and the agent waits for it.

import { MOCK_CAPABILITIES } from '@roost/agents/mock/fill-defaults';
import { createInjectableMockRuntime, type InjectableMockRuntime } from '@roost/agents/mock/injectable';
import { ruleId, sessionId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { tokens } from '@roost/testkit/rigs/record/sample-append';
import { readStored, TEST_PROJECT } from '@roost/testkit/rigs/runner/engine-rig';
import { createTestEngine } from '@roost/testkit/rigs/runner/test-engine';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createCommitPace } from './commit-pace.ts';

const CALLS = 10;
const MOST_COMMITS = 3;
const ID = sessionId.parse('s1');

describe('tool call allowed by a rule', () => {
	it.each([
		['driven', 0],
		['driven', 20],
		['observed', 0],
		['observed', 20],
	] as const)('of a %s agent, with %i ms between its reports, costs at most three commits', async (kind, gapMs) => {
		await using rig = createRig(kind === 'driven');
		for (let call = 0; call < CALLS; call++) await rig.makeCall(`toolu_${call}`, gapMs);
		expect(rig.commits() / CALLS).toBeLessThanOrEqual(MOST_COMMITS);
	});

	it('of a driven agent costs two commits if the tool and the model are slow', async () => {
		await using rig = createRig(true);
		for (let call = 0; call < CALLS; call++) await rig.makeCall(`toolu_${call}`, 5, 1_000);
		expect(rig.commits() / CALLS).toBeLessThanOrEqual(2);
	});

	it('is completely recorded in order after a short wait', async () => {
		await using rig = createRig(true);
		await rig.makeCall('toolu_1', 0);
		expect(rig.kinds()).not.toContain('tool.post');
		await rig.wait(50);
		expect(rig.kinds().filter((kind) => /^(tool|permission|usage)\./.test(kind))).toEqual(ONE_CALL);
	});

	it('commits pending events of other sessions together with the decision', async () => {
		await using rig = createRig(true);
		await using other = rig.open('s2');
		other.runtime.emit({ hookName: 'Notification', payload: { message: 'nobody waits for this' } });
		expect(readStored(rig.store, other.id)).toEqual([]);
		await rig.makeCall('toolu_1', 0);
		expect(readStored(rig.store, other.id).map(({ event }) => event.kind)).toContain('notification');
	});
});

const ONE_CALL = ['tool.pre', 'usage.update', 'permission.request', 'permission.decision', 'tool.post', 'tool.batch'];

function createRig(isDriven: boolean) {
	const timers = createManualTimers();
	const { store, commits } = countCommits(createMemoryStore());
	const engine = createTestEngine({
		store,
		rules: [ALLOW_BASH],
		timers,
		pace: createCommitPace({ timers, now: timers.now }),
		summarise: async () => [],
	});

	function open(id: string) {
		const runtime = { ...createInjectableMockRuntime(), capabilities: { ...MOCK_CAPABILITIES, takesPrompts: isDriven } };
		const origin = { runtime, gate: 'enforce' } as const;
		const session = unwrap(
			engine.open({ id: sessionId.parse(id), project: { id: TEST_PROJECT, path: TEST_PROJECT }, ...origin }),
		);
		const end = runtime.onEvent((event) => session.post({ type: 'reported', event }, origin));
		runtime.start();
		return { id: session.id, session, runtime, [Symbol.asyncDispose]: async () => end() };
	}

	const { session, runtime } = open(ID);
	/** Current commits finish before the clock advances. */
	async function wait(ms: number): Promise<void> {
		for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
		timers.advance(ms);
		for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
	}

	async function makeCall(toolUseId: string, gapMs: number, workMs = gapMs): Promise<void> {
		const call = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: toolUseId };
		const parts = { toolName: 'Bash', toolUseId };
		runtime.emit({ ...parts, hookName: 'PreToolUse', payload: call });
		await wait(gapMs);
		if (isDriven) session.post({ type: 'noted', fact: usageOf(toolUseId), at: timers.now() });
		await wait(gapMs);
		const request = runtime.emit({ ...parts, hookName: 'PermissionRequest', payload: call });
		await decided(runtime, request.id);
		await wait(workMs);
		runtime.emit({ ...parts, hookName: 'PostToolUse', payload: { ...call, tool_response: { stdout: 'made' } } });
		await wait(gapMs);
		runtime.emit({ hookName: 'PostToolBatch', payload: { tool_calls: [call] } });
		await wait(workMs);
	}

	return {
		store,
		open,
		commits,
		makeCall,
		wait,
		kinds: () => readStored(store, ID).map(({ event }) => event.kind),
		[Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
	};
}

/** A decision is sent only once its fact is on disk, so its commit is counted by then. */
async function decided(runtime: InjectableMockRuntime, requestId: string): Promise<void> {
	for (let turn = 0; turn < 10 && !runtime.getDecision(requestId); turn++) await new Promise(setImmediate);
	expect(runtime.getDecision(requestId)).toMatchObject({ verdict: { type: 'allow' } });
}

/** Appends of one turn share a transaction, as in the store on disk. */
function countCommits(inner: Store) {
	let count = 0;
	let isCounted = false;
	const store: Store = {
		...inner,
		append(request) {
			if (!isCounted) count += 1;
			isCounted = true;
			setImmediate(() => {
				isCounted = false;
			});
			return inner.append(request);
		},
	};
	return { store, commits: () => count };
}

const ALLOW_BASH: Rule = {
	...{ id: ruleId.parse('r1'), tool: 'Bash', decision: 'allow', scope: 'user', scopeId: 'user' },
	...{ addedBy: 'test', createdAt: 0 },
};

/** Growing totals, as agents report them. */
function usageOf(toolUseId: string) {
	const used = tokens(Number(toolUseId.split('_')[1]) + 1, 1);
	return { kind: 'usage.update', data: { by_model: { model: used }, total: used } } as const;
}
