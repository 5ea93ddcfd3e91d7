// The contract of every driven agent. Each stage states which prompts lead to which behaviour.
import { randomUUID } from 'node:crypto';
import type { DrivenAgent, DrivenRequest, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { promptId } from '@roost/protocol/ids';
import { type Block, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

export type ConnectionStage = AsyncDisposable & {
	/** Stopped; the test is its gate. */
	open(request?: Partial<DrivenRequest>): DrivenAgent;
	/** Advances the agent's clock a little. */
	pass(): void;
	/** `answered`: answers and ends. `long`: writes for a while. `acts`: asks for permission first. */
	readonly prompts: { answered: string; long: string; acts: string };
	/** Features that this agent lacks, and why: it must report that instead. */
	readonly cannot?: { readonly fork?: string };
};

/** Prompts for a model that runs `contractScript`. */
export const CONTRACT_PROMPTS = { answered: 'say hello', long: 'write a long text', acts: 'make a file' } as const;

/** `shell`: how the model asks this agent to run a command. */
export function contractScript(shell: (command: string) => Block): Script {
	return ({ lastUserText, toolResults }) => {
		if (toolResults.length > 0) return message([say('It is ', 'made.')]);
		if (lastUserText.includes(CONTRACT_PROMPTS.acts)) return message([shell('touch made')]);
		if (lastUserText.includes(CONTRACT_PROMPTS.long))
			return message([say(...'one two three four five'.split(' '))], { pace: { delayMs: 2000 } });
		return message([say('Hello, ', 'you.')]);
	};
}

export function describeConnectionContract(name: string, openStage: () => Promise<ConnectionStage>): void {
	describe(`Connection contract of ${name}`, () => {
		it('accepts a prompt, reports it, and stops when it is done', async () => {
			await using stage = await openStage();
			const { connection, emitted: reported, until } = play(stage);
			const sent = prompt(stage.prompts.answered);
			await connection.sendPrompt(sent);
			await until('Stop');
			expect(reported('UserPromptSubmit')).toMatchObject([{ payload: { prompt: stage.prompts.answered, sent_as: sent.id } }]);
			expect(reported('Stop')).toHaveLength(1);
			expect(await connection.getState()).toEqual({ status: 'idle' });
		});

		it('streams its response in pieces and marks the last one as final', async () => {
			await using stage = await openStage();
			const { connection, emitted: reported, until } = play(stage);
			await connection.sendPrompt(prompt(stage.prompts.answered));
			await until('Stop');
			const finals = reported('MessageDisplay').map(({ payload }) => isFinal(payload));
			expect(finals.length).toBeGreaterThan(1);
			expect(finals.at(0)).toBe(false);
			expect(finals.at(-1)).toBe(true);
		});

		it('asks for permission before acting, and reports the current tool', async () => {
			await using stage = await openStage();
			const { connection, runtime, emitted: reported, until } = play(stage, { allow: false });
			await connection.sendPrompt(prompt(stage.prompts.acts));
			const asked = await until('PermissionRequest');
			expect(await connection.getState()).toMatchObject({ status: 'working', currentTool: expect.any(String) });
			runtime.sendDecision(asked.id, { verdict: { type: 'allow' }, source: 'user' });
			await until('Stop');
			expect(reported('PostToolUse')).toHaveLength(1);
		});

		it('can be interrupted in the middle of a turn, reports it, and accepts the next prompt', async () => {
			await using stage = await openStage();
			const { connection, emitted: reported, until } = play(stage);
			await connection.sendPrompt(prompt(stage.prompts.long));
			await until('MessageDisplay');
			await connection.abort();
			expect((await until('Stop')).payload).toMatchObject({ interrupted: true });
			await connection.followUp(prompt(stage.prompts.answered));
			await until('Stop', 2);
			expect(reported('Stop')[1]?.payload).not.toMatchObject({ interrupted: true });
		});

		it('settles the pending request when it is interrupted while asking', async () => {
			await using stage = await openStage();
			const { connection, runtime, until } = play(stage, { allow: false });
			const settled: string[] = [];
			runtime.onDecision((eventId, { source }) => source === 'system' && settled.push(eventId));
			await connection.sendPrompt(prompt(stage.prompts.acts));
			const asked = await until('PermissionRequest');
			await connection.abort();
			await until('Stop');
			expect(settled).toEqual([asked.id]);
		});

		it('ignores an interrupt while it is idle', async () => {
			await using stage = await openStage();
			const { connection, events } = play(stage);
			const before = events.length;
			await connection.abort();
			stage.pass();
			expect(events).toHaveLength(before);
		});

		it('queues a prompt that arrives during a turn', async () => {
			await using stage = await openStage();
			const { connection, events, until } = play(stage);
			await connection.sendPrompt(prompt(stage.prompts.answered));
			await connection.followUp(prompt(stage.prompts.answered));
			await until('Stop', 2);
			const order = events.map(({ hookName }) => hookName).filter((hook) => hook === 'UserPromptSubmit' || hook === 'Stop');
			expect(order).toEqual(['UserPromptSubmit', 'Stop', 'UserPromptSubmit', 'Stop']);
		});

		it('keeps its id when resumed, and gets a new one when forked or refuses to fork', async () => {
			await using stage = await openStage();
			const first = play(stage);
			await first.connection.sendPrompt(prompt(stage.prompts.answered));
			const { sessionId: nativeId } = await first.until('Stop');
			first.connection.close();
			const idAfter = async (fork: boolean) => {
				const { connection, emitted: reported, until } = play(stage, { request: { resume: { nativeId, fork } } });
				await connection.sendPrompt(prompt(stage.prompts.answered));
				await until('Stop');
				expect(reported('SessionStart')).toMatchObject([{ payload: { source: fork ? 'fork' : 'resume' } }]);
				return reported('Stop')[0]?.sessionId;
			};
			expect(await idAfter(false)).toBe(nativeId);
			if (stage.cannot?.fork === undefined) expect(await idAfter(true)).not.toBe(nativeId);
			else await expectRefusal(play(stage, { request: { resume: { nativeId, fork: true } } }));
		});

		it('reports its end once when it is closed, and nothing afterwards', async () => {
			await using stage = await openStage();
			const { connection, runtime, events, emitted: reported, until } = play(stage);
			await connection.sendPrompt(prompt(stage.prompts.long));
			await until('MessageDisplay');
			connection.close();
			connection.close();
			const before = events.length;
			await connection.followUp(prompt(stage.prompts.answered));
			expect(await connection.getState()).toEqual({ status: 'idle' });
			await connection.abort();
			stage.pass();
			expect(reported('SessionEnd')).toHaveLength(1);
			expect(events).toHaveLength(before);
			expect(runtime.getStatus()).toBe('stopped');
		});

		it('declares that it accepts prompts, interrupts and resumes', async () => {
			await using stage = await openStage();
			const { takesPrompts, canInterrupt, canResume } = stage.open().runtime.capabilities;
			expect({ takesPrompts, canInterrupt, canResume }).toEqual({ takesPrompts: true, canInterrupt: true, canResume: true });
		});
	});
}

/** It ends at once and reports the reason. */
async function expectRefusal({ runtime, until }: ReturnType<typeof play>): Promise<void> {
	expect((await until('StopFailure')).payload).toMatchObject({
		last_assistant_message: expect.stringMatching(/cannot|does not/),
	});
	await until('SessionEnd');
	expect(runtime.getStatus()).toBe('stopped');
}

/** The test is the gate: announced calls pass, and permission requests are allowed if the test says so. */
function play(stage: ConnectionStage, options: { allow?: boolean; request?: Partial<DrivenRequest> } = {}) {
	const { runtime, connection } = stage.open(options.request);
	const events: RuntimeEvent[] = [];
	runtime.onEvent((event) => {
		events.push(event);
		if (event.hookName === 'PreToolUse') runtime.sendDecision(event.id, { verdict: { type: 'none' }, source: 'rule' });
		if (event.hookName === 'PermissionRequest' && options.allow !== false)
			runtime.sendDecision(event.id, { verdict: { type: 'allow' }, source: 'rule' });
	});
	runtime.start();
	const reported = (hookName: string) => events.filter((event) => event.hookName === hookName);

	async function until(hookName: string, count = 1): Promise<RuntimeEvent> {
		const fact = () => {
			const found = reported(hookName)[count - 1];
			if (!found) stage.pass();
			return found;
		};
		return await waitFor(fact, {
			what: hookName,
			everyMs: 1,
			seen: () => events.map((event) => event.hookName),
		});
	}

	return { runtime, connection, events, emitted: reported, until };
}

function isFinal(payload: unknown): unknown {
	return typeof payload === 'object' && payload !== null && 'final' in payload ? payload.final : undefined;
}

function prompt(text: string): OutgoingPrompt {
	return { id: promptId.parse(randomUUID()), text };
}
