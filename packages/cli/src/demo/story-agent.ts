// The agent of a story: it speaks, calls tools, asks and waits like a real one, through a runtime like any other.
import { createInjectableMockRuntime } from '@roost/agents/mock/injectable';
import type { Runtime } from '@roost/core/runtime/runtime';
import { addUsage } from '@roost/core/usage/tally';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { BREATH_MS, type CallEnd, playCall, type StoryCall } from './story-call.ts';
import { createStoryReporter, type StoryReporter } from './story-reporter.ts';
import { createStoryTime, type StoryTime, type StoryTimeDeps } from './story-time.ts';

export type StoryAgent = {
	begin(): Promise<void>;
	hear(prompt: string): Promise<void>;
	/** Word by word. */
	say(text: string): Promise<void>;
	call(call: StoryCall): Promise<CallEnd>;
	/** Hands a part of the work to a subagent, which reports what it found. */
	delegate(task: StoryTask, work: (subagent: StoryAgent) => Promise<void>): Promise<void>;
	/** Tokens since it last said so. */
	spend(tokens: TokenUsage): void;
	pause(ms: number): Promise<void>;
	stop(interrupted?: boolean): Promise<void>;
	fail(error: string): Promise<void>;
	leave(): Promise<void>;
};

export type StoryTask = { id: string; type: string; description: string; prompt: string; found: string };

export type StoryAgentDeps = StoryTimeDeps & {
	nativeId: string;
	/** Whose work the story tells. */
	agent: string;
	model: string;
	cwd: string;
	permissionMode: string;
	spent: (tokens: TokenUsage) => void;
};

type Parts = { reporter: StoryReporter; time: StoryTime; model: string; spend: StoryAgent['spend'] };

const PIECE_MS = 45;

export function createStoryAgent(deps: StoryAgentDeps): { runtime: Runtime; agent: StoryAgent } {
	const runtime = createInjectableMockRuntime({ now: deps.now });
	const time = createStoryTime(deps);
	const context = { cwd: deps.cwd, transcriptPath: '', permissionMode: deps.permissionMode };
	const reporter = createStoryReporter({ runtime, nativeId: deps.nativeId, context, now: time.now });
	const spend = createSpending(time, deps.spent);
	const named = { ...runtime, capabilities: { ...runtime.capabilities, agent: deps.agent } };
	return { runtime: named, agent: toAgent({ reporter, time, model: deps.model, spend }) };
}

function toAgent(parts: Parts): StoryAgent {
	const { reporter, time, model, spend } = parts;
	async function tell(hookName: string, payload: Record<string, unknown>): Promise<void> {
		await time.pause(BREATH_MS);
		reporter.report(hookName, payload);
	}
	return {
		begin: () => tell('SessionStart', { source: 'startup', model }),
		hear: (prompt) => tell('UserPromptSubmit', { prompt }),
		say: (text) => say(text, parts),
		call: (call) => playCall(call, reporter, time),
		delegate: (task, work) => delegate(task, work, parts),
		spend,
		pause: time.pause,
		stop: (interrupted = false) =>
			tell('Stop', { stop_hook_active: false, background_tasks: [], ...(interrupted ? { interrupted } : {}) }),
		fail: (error) => tell('StopFailure', { error, last_assistant_message: error }),
		leave: () => tell('SessionEnd', { reason: 'other' }),
	};
}

async function say(text: string, { reporter, time }: Parts): Promise<void> {
	await time.pause(BREATH_MS);
	const message_id = reporter.newId();
	const pieces = time.isPast() ? [text] : (text.match(/\S+\s*/g) ?? []);
	for (const [index, delta] of pieces.entries()) {
		reporter.report('MessageDisplay', { message_id, index, final: index === pieces.length - 1, delta });
		await time.pause(PIECE_MS);
	}
}

async function delegate(task: StoryTask, work: (subagent: StoryAgent) => Promise<void>, parts: Parts): Promise<void> {
	const { reporter, time } = parts;
	const { id, type, description, prompt, found } = task;
	const input = { description, prompt, subagent_type: type };
	const open = { tool_name: 'Agent', tool_input: input, tool_use_id: reporter.newId() };
	await time.pause(BREATH_MS);
	await reporter.ask('PreToolUse', open);
	const own = reporter.as(id, type);
	own.report('SubagentStart', {});
	await work(toAgent({ ...parts, reporter: own }));
	await time.pause(BREATH_MS);
	own.report('SubagentStop', { stop_hook_active: false, last_assistant_message: found });
	reporter.report('PostToolUse', { ...open, tool_response: { text: found } });
}

/** What Roost notes carries the time of now, which the first part of a story has not reached yet. */
function createSpending(time: StoryTime, spent: (tokens: TokenUsage) => void): StoryAgent['spend'] {
	const untold: TokenUsage[] = [];
	return (tokens) => {
		untold.push(tokens);
		if (!time.isPast()) spent(untold.splice(0).reduce(addUsage));
	};
}
