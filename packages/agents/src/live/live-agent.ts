// A driven agent over its own protocol. Start, prompts, interrupts and end are the same for all agents.
import { randomUUID } from 'node:crypto';
import type {
	ControlCommand,
	DrivableAgent,
	DrivenAgent,
	DrivenRequest,
	ModelChoice,
	OutgoingPrompt,
} from '@roost/core/runtime/connection';
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';
import { realTimers, type Timers } from '@roost/machine/timers';
import type { Result } from '@roost/protocol/result';
import { createEventReporter, type EventReporter } from './event-reporter.ts';
import { createLiveGate, type LiveGate, refuseMode } from './gate.ts';
import { createMessageStream, createOpenCalls, createTurns, type MessageStream, type OpenCalls, type Turns } from './turns.ts';

/** The protocol of one kind of agent. Never throws: failures are reported through `LiveContext`. */
export type Wire = {
	/** Starts the agent. Ready for prompts, or the reason for the failure. */
	open(): Promise<Result<Opened>>;
	/** Starts a turn; its end is reported with `turns.end`. */
	prompt(prompt: OutgoingPrompt): void;
	/** Adds to the current turn; false where it is not supported, and the prompt waits for the end of the turn. */
	steer(prompt: OutgoingPrompt): Promise<boolean>;
	/** Stops the current turn, whose end the agent reports as interrupted. */
	interrupt(): Promise<void>;
	/** False where it failed, which was reported. */
	setModel(model: string): Promise<boolean>;
	/** Null where the agent does not list its models. */
	models(): Promise<ModelChoice | null>;
	/** Called after the mode changed; Roost's own gate applies it from then on. */
	modeChanged(mode: string): void;
	/** With a grace period to exit by itself. Also for an agent that never opened. */
	end(graceMs: number): void;
};

export type Opened = {
	nativeId: string;
	transcriptPath?: string | undefined;
	model?: string | undefined;
	/** One sentence for each repository setting that is ignored. */
	leftOut?: readonly string[] | undefined;
};

export type LiveContext = {
	readonly reporter: EventReporter;
	readonly calls: OpenCalls;
	readonly messages: MessageStream;
	readonly turns: Turns;
	readonly gate: LiveGate;
	readonly timers: Timers;
	readonly newId: () => string;
	/** Once, when the agent is unusable. Without a reason it was closed. */
	finish(why?: string): void;
};

export type LiveAgentDeps = {
	capabilities: RuntimeCapabilities;
	/** The variable for the key of its provider. */
	usualKey?: string | undefined;
	title: string;
	request: DrivenRequest;
	/** Null where the request is accepted. */
	refusal: string | null;
	connect: (live: LiveContext) => Wire;
	timers?: Timers | undefined;
	now?: (() => number) | undefined;
	newId?: (() => string) | undefined;
};

export type DriveDeps = Pick<LiveAgentDeps, 'timers' | 'now' | 'newId'> & {
	command: readonly [string, ...string[]];
	/** The whole environment for a session. */
	env: (session: string) => Readonly<Record<string, string>>;
	unavailable?: string | undefined;
};

type LiveKind = Pick<LiveAgentDeps, 'capabilities' | 'usualKey' | 'title'> &
	Pick<DrivableAgent, 'refuse' | 'hasPrompt'> & { connect: (live: LiveContext, request: DrivenRequest) => Wire };

export function createLiveDrivable(
	kind: LiveKind,
	{ unavailable, timers, now, newId }: Pick<DriveDeps, 'unavailable' | 'timers' | 'now' | 'newId'>,
): DrivableAgent {
	const { capabilities, hasPrompt } = kind;
	const refuse: DrivableAgent['refuse'] = (request) => unavailable ?? kind.refuse(request);
	const open: DrivableAgent['open'] = (request) => {
		const connect = (live: LiveContext) => kind.connect(live, request);
		return openLiveAgent({ ...kind, request, refusal: refuse(request), connect, timers, now, newId });
	};
	return { capabilities, refuse, open, hasPrompt };
}

const OPEN_MS = 60_000;
const INTERRUPT_MS = 10_000;
const IDLE_GRACE_MS = 3000;

export function openLiveAgent(deps: LiveAgentDeps): DrivenAgent {
	const { request, title, capabilities, timers = realTimers, now = Date.now, newId = randomUUID } = deps;
	const { resume } = request;
	const nativeId = resume && !resume.fork ? resume.nativeId : '';
	const opened = Promise.withResolvers<boolean>();
	const reporter = createEventReporter({
		capabilities,
		usualKey: deps.usualKey,
		request,
		nativeId,
		timers,
		now,
		newId,
		onStart: begin,
		onStop: shutDown,
	});
	const calls = createOpenCalls();
	const messages = createMessageStream(reporter);
	const turns = createTurns({ reporter, calls, messages, send: (prompt) => wire.prompt(prompt) });
	const { cwd, allowedTools } = request;
	const gate = createLiveGate({ reporter, calls, cwd, allowedTools, interrupt: () => void abort() });
	const wire = deps.connect({ reporter, calls, messages, turns, gate, timers, newId, finish: end });
	const isStopped = () => reporter.runtime.getStatus() === 'stopped';

	let hasBegun = false;
	let isReady = false;
	function begin(): void {
		if (hasBegun) return;
		hasBegun = true;
		if (deps.refusal === null) void start();
		else giveUp(deps.refusal);
	}

	async function start(): Promise<void> {
		const forget = timers.after(OPEN_MS, () => giveUp(`${title} did not become ready.`));
		const ready = await wire.open();
		forget();
		if (isStopped()) return;
		if (!ready.ok) return giveUp(ready.error.message);
		const { model = request.model, leftOut = [], ...known } = ready.value;
		isReady = true;
		reporter.learn(known);
		reporter.report('SessionStart', { source: sourceOf(request), ...(model === undefined ? {} : { model }) });
		for (const message of leftOut) reporter.report('Notification', { message, notification_type: 'left_out' });
		opened.resolve(true);
		turns.open();
	}

	/** Also before it was ready. */
	function end(why?: string): void {
		if (why === undefined || isReady) finish(why);
		else giveUp(why);
	}

	/** It failed before it could report its session. */
	function giveUp(why: string): void {
		if (isStopped()) return;
		reporter.report('SessionStart', { source: sourceOf(request) });
		finish(why);
	}

	function finish(why?: string): void {
		if (isStopped()) return;
		turns.close();
		const reported = turns.failure();
		if (why !== undefined && turns.isBusy()) turns.end({ type: 'failed', error: 'agent_ended', why });
		else if (why !== undefined && (reported === undefined || !why.includes(reported)))
			reporter.report('StopFailure', { error: 'agent_ended', last_assistant_message: why });
		reporter.report('SessionEnd', { reason: why === undefined ? 'other' : 'failed' });
		reporter.runtime.stop();
	}

	function shutDown(): void {
		opened.resolve(false);
		// Idle, it exits when its input ends; while working it would continue.
		wire.end(turns.isBusy() ? 0 : IDLE_GRACE_MS);
	}

	async function take(prompt: OutgoingPrompt): Promise<void> {
		if (isStopped() || turns.take(prompt)) return;
		reporter.fail({
			code: 'too_large',
			message: `Too many prompts are queued for ${title}: this one was rejected.`,
			detail: prompt.id,
		});
	}

	async function abort(): Promise<void> {
		if (isStopped() || !turns.isBusy() || !(await opened.promise)) return;
		const turn = turns.count();
		timers.after(INTERRUPT_MS, () => {
			if (turns.isBusy() && turns.count() === turn) finish(`${title} did not stop when it was interrupted.`);
		});
		await wire.interrupt();
	}

	async function control(command: ControlCommand): Promise<void> {
		if (!(await opened.promise) || isStopped()) return;
		if (command.type === 'model') return void (await wire.setModel(command.model));
		if (command.type === 'permission-mode') return setMode(command.mode);
		const hasSteered = turns.isBusy() && (await wire.steer(command.prompt));
		if (hasSteered) turns.steered(command.prompt);
		else await take(command.prompt);
	}

	function setMode(mode: string): void {
		const refusal = refuseMode(mode);
		if (refusal === null) {
			reporter.setMode(mode);
			wire.modeChanged(mode);
		} else reporter.fail({ code: 'bad_request', message: refusal });
	}

	return {
		runtime: reporter.runtime,
		connection: {
			sendPrompt: take,
			followUp: take,
			abort,
			models: async () => ((await opened.promise) && !isStopped() ? await wire.models() : null),
			getState: async () => (isStopped() ? { status: 'idle' } : turns.state()),
			control,
			close: () => finish(),
		},
	};
}

export function sourceOf({ resume }: DrivenRequest): 'startup' | 'resume' | 'fork' {
	if (!resume) return 'startup';
	return resume.fork ? 'fork' : 'resume';
}
