// A scripted agent: it sends messages, calls tools and asks for permission like a real one.
import { setTimeout as wait } from 'node:timers/promises';
import type { EventParts } from '@roost/agents/mock/fill-defaults';
import { createInjectableMockRuntime, type InjectableMockRuntime } from '@roost/agents/mock/injectable';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { EventBase } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { TokenUsage } from '@roost/protocol/feed/conversation';

export type StoryAgent = {
	begin(): Promise<void>;
	receive(prompt: string): Promise<void>;
	/** Streamed word by word. */
	say(text: string): Promise<void>;
	call(call: StoryCall): Promise<CallEnd>;
	/** Delegates work to a subagent, which reports `found`. */
	delegate(task: StoryTask, work: (subagent: StoryAgent) => Promise<void>): Promise<void>;
	/** Reports used tokens. */
	spend(tokens: TokenUsage): void;
	pause(ms: number): Promise<void>;
	stop(interrupted?: boolean): Promise<void>;
	fail(error: string): Promise<void>;
	leave(): Promise<void>;
};

type StoryTask = { id: string; type: string; description: string; prompt: string; found: string };

type StoryAgentDeps = StoryTimeDeps & {
	nativeId: string;
	/** Kind of agent that the story shows. */
	agent: string;
	model: string;
	cwd: string;
	permissionMode: string;
	spent: (tokens: TokenUsage, at: number) => void;
	/** Called with the input of each call that was made. */
	made?: ((input: ToolInput) => void) | undefined;
};

type Parts = Pick<StoryAgentDeps, 'model' | 'made'> & { reporter: StoryReporter; time: StoryTime; spend: StoryAgent['spend'] };

const PIECE_MS = 45;

export function createStoryAgent(deps: StoryAgentDeps): { runtime: Runtime; agent: StoryAgent } {
	const runtime = createInjectableMockRuntime({ now: deps.now });
	const time = createStoryTime(deps);
	const context = { cwd: deps.cwd, transcriptPath: '', permissionMode: deps.permissionMode };
	const reporter = createStoryReporter({ runtime, nativeId: deps.nativeId, context, now: time.now });
	const named = { ...runtime, capabilities: { ...runtime.capabilities, agent: deps.agent } };
	return {
		runtime: named,
		agent: toAgent({ ...deps, reporter, time, spend: (tokens) => deps.spent(tokens, time.now()) }),
	};
}

function toAgent(parts: Parts): StoryAgent {
	const { reporter, time, model, spend } = parts;
	async function report(hookName: string, payload: Record<string, unknown>): Promise<void> {
		await time.pause(BREATH_MS);
		reporter.report(hookName, payload);
	}
	return {
		begin: () => report('SessionStart', { source: 'startup', model }),
		receive: (prompt) => report('UserPromptSubmit', { prompt }),
		say: (text) => say(text, parts),
		call: (call) => playCall(call, parts),
		delegate: (task, work) => delegate(task, work, parts),
		spend,
		pause: time.pause,
		stop: (interrupted = false) =>
			report('Stop', { stop_hook_active: false, background_tasks: [], ...(interrupted ? { interrupted } : {}) }),
		fail: (error) => report('StopFailure', { error, last_assistant_message: error }),
		leave: () => report('SessionEnd', { reason: 'other' }),
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

export type StoryCall = {
	tool: string;
	input: ToolInput;
	response?: unknown;
	error?: string;
	asks?: boolean;
	/** The past of a story ends here, because the user answers in the present. */
	awaitsUser?: boolean;
	takesMs?: number;
};

/** `interrupted`: denied, and the agent is to stop. */
type CallEnd = { isDone: boolean; interrupted: boolean; answers: Readonly<Record<string, string>> };

type OpenCall = { tool_name: string; tool_input: ToolInput; tool_use_id: string };

const BREATH_MS = 350;
const CALL_MS = 450;

async function playCall(call: StoryCall, parts: Parts): Promise<CallEnd> {
	const { reporter, time } = parts;
	await time.pause(BREATH_MS);
	const open = { tool_name: call.tool, tool_input: call.input, tool_use_id: reporter.newId() };
	const decision = await permit(call, open, reporter, time);
	const end = toEnd(decision);
	if (end.isDone) await finish(call, { ...open, ...changedInput(decision) }, end, parts);
	// The batch closes calls that were denied.
	else reporter.report('PostToolBatch', { tool_calls: [{ ...open, tool_response: reasonOf(decision) }] });
	return end;
}

/** Announces the call; asks for permission if it needs one and was not denied. */
async function permit(call: StoryCall, open: OpenCall, reporter: StoryReporter, time: StoryTime): Promise<RuntimeDecision> {
	const arrive = () => call.awaitsUser && time.arrive();
	if (!call.asks) arrive();
	const announced = await reporter.ask('PreToolUse', open);
	if (!call.asks || announced.verdict.type === 'deny') return announced;
	await time.pause(BREATH_MS);
	arrive();
	return await reporter.ask('PermissionRequest', open);
}

async function finish(call: StoryCall, open: OpenCall, { answers }: CallEnd, { reporter, time, made }: Parts): Promise<void> {
	const duration_ms = call.takesMs ?? CALL_MS;
	await time.pause(duration_ms);
	const done = { ...open, duration_ms };
	if (call.error === undefined) made?.(open.tool_input);
	if (call.error === undefined) reporter.report('PostToolUse', { ...done, tool_response: call.response ?? { answers } });
	else reporter.report('PostToolUseFailure', { ...done, error: call.error, is_interrupt: false });
}

/** No opinion leaves the decision to the agent's terminal, where its user allows it. */
function toEnd({ verdict }: RuntimeDecision): CallEnd {
	return {
		isDone: verdict.type !== 'deny',
		interrupted: verdict.type === 'deny' && verdict.interrupt === true,
		answers: verdict.type === 'answer' ? verdict.answers : {},
	};
}

function changedInput({ verdict }: RuntimeDecision): { tool_input?: ToolInput } {
	return verdict.type === 'allow' && verdict.updatedInput ? { tool_input: verdict.updatedInput } : {};
}

function reasonOf({ verdict, reason }: RuntimeDecision): string {
	return (verdict.type === 'deny' ? verdict.message : reason) ?? 'refused';
}

type StoryReporter = {
	report(hookName: string, payload: Record<string, unknown>): void;
	ask(hookName: string, payload: Record<string, unknown>): Promise<RuntimeDecision>;
	newId(): string;
	/** The same session, reported by a subagent. */
	as(agentId: string, agentType: string): StoryReporter;
};

type StoryReporterDeps = {
	runtime: InjectableMockRuntime;
	nativeId: string;
	context: EventBase['context'];
	now: () => number;
};

function createStoryReporter({ runtime, nativeId, context, now }: StoryReporterDeps): StoryReporter {
	const waiting = new Map<string, (decision: RuntimeDecision) => void>();
	let ids = 0;
	const newId = () => `${nativeId}-${++ids}`;
	runtime.onDecision((id, decision) => {
		waiting.get(id)?.(decision);
		waiting.delete(id);
	});

	function speak(who: EventParts): StoryReporter {
		function emit(hookName: string, payload: Record<string, unknown>, more: EventParts): void {
			runtime.emit({ hookName, sessionId: nativeId, context, timestamp: now(), ...who, ...more, payload });
		}
		return {
			report: (hookName, payload) => emit(hookName, payload, {}),
			ask(hookName, payload) {
				const id = newId();
				const { promise, resolve } = Promise.withResolvers<RuntimeDecision>();
				waiting.set(id, resolve);
				emit(hookName, payload, { id });
				return promise;
			},
			newId,
			as: (agentId, agentType) => speak({ agentId, agentType }),
		};
	}
	return speak({});
}

type StoryTime = {
	/** Rejects when the demo ends. */
	pause(ms: number): Promise<void>;
	/** The time in the story. */
	now(): number;
	/** Whether the story is still before the start of the demo. */
	isPast(): boolean;
	/** Skips the rest of the past. */
	arrive(): void;
};

type StoryTimeDeps = {
	speed: number;
	/** Start of the story before the demo; this part is played at once with its own timestamps. */
	beganAgoMs: number;
	signal: AbortSignal;
	now: () => number;
};

export function createStoryTime({ speed, beganAgoMs, signal, now }: StoryTimeDeps): StoryTime {
	let behind = beganAgoMs;
	return {
		async pause(ms) {
			signal.throwIfAborted();
			const past = Math.min(behind, ms);
			behind -= past;
			if (ms > past) await wait((ms - past) / speed, undefined, { signal });
		},
		now: () => now() - behind,
		isPast: () => behind > 0,
		arrive() {
			behind = 0;
		},
	};
}
