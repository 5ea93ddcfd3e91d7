// The connection to a driven Claude: prompts, interrupt, model, mode, close. Failures are recorded.
import type { Query } from '@anthropic-ai/claude-agent-sdk';
import type { Connection, ControlCommand, ModelChoice, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { Timers } from '@roost/machine/timers';
import { assertNever } from '@roost/protocol/assert-never';
import type { ClaudeTurns } from './claude-turns.ts';
import { type ClaudeReporter, DEFAULT_MODE, refuseMode, toClaudeMode } from './permission-modes.ts';
import type { Prompts } from './prompts.ts';

/** Claude answers a request at once, independent of its model. */
const REQUEST_MS = 10_000;

export function createClaudeConnection(deps: {
	reporter: ClaudeReporter;
	prompts: Prompts;
	turns: ClaudeTurns;
	/** Undefined where the agent ended before it started. */
	query: () => Promise<Pick<Query, 'interrupt' | 'setModel' | 'setPermissionMode' | 'supportedModels'> | undefined>;
	env: Readonly<Record<string, string>>;
	timers: Timers;
	bypassable: boolean;
	giveUp: (why: string) => void;
	close: () => void;
}): Connection {
	const { reporter, prompts, turns } = deps;
	const isStopped = () => reporter.runtime.getStatus() === 'stopped';

	function take(prompt: OutgoingPrompt, how: 'follow-up' | 'steer'): void {
		if (isStopped() || prompts.take(prompt, how)) return;
		reporter.fail({
			code: 'too_large',
			message: 'Too many prompts are queued for Claude: this one was rejected.',
			detail: prompt.id,
		});
	}

	async function request(what: string, send: (query: NonNullable<Awaited<ReturnType<typeof deps.query>>>) => Promise<unknown>) {
		const query = await deps.query();
		if (!query || isStopped()) return false;
		const late = Promise.withResolvers<'late'>();
		const forget = deps.timers.after(REQUEST_MS, () => late.resolve('late'));
		try {
			if ((await Promise.race([send(query), late.promise])) !== 'late') return true;
			deps.giveUp(`Claude did not answer when it was asked to ${what}.`);
		} catch (error) {
			reporter.fail({
				code: 'agent_refused',
				message: `Claude did not ${what}: ${error instanceof Error ? error.message : String(error)}`,
			});
		} finally {
			forget();
		}
		return false;
	}

	async function interrupt(): Promise<boolean> {
		return await request('stop what it does', (query) => query.interrupt());
	}

	async function abort(): Promise<void> {
		const running = isStopped() ? 'idle' : turns.running();
		if (running === 'idle') return;
		if (running === 'written') turns.interruptSoon();
		else if ((await interrupt()) && running === 'background') turns.backgroundEnded();
	}

	async function control(command: ControlCommand): Promise<void> {
		if (isStopped()) return;
		switch (command.type) {
			case 'steer':
				return take(command.prompt, 'steer');
			case 'model':
				return void (await request(`use the model ${command.model}`, (query) => query.setModel(command.model)));
			case 'permission-mode':
				return await setMode(command.mode);
			default:
				return assertNever(command);
		}
	}

	async function models(): Promise<ModelChoice | null> {
		try {
			const offered = await (await deps.query())?.supportedModels();
			return offered ? toModelChoice(offered, deps.env) : null;
		} catch {
			// It has ended; the reader of its messages reports why.
			return null;
		}
	}

	async function setMode(mode: string): Promise<void> {
		const refusal = refuseMode(mode, deps.bypassable);
		if (refusal !== null) return reporter.fail({ code: 'bad_request', message: refusal });
		const claudeMode = toClaudeMode(mode) ?? DEFAULT_MODE;
		if (await request(`change to the mode ${mode}`, (query) => query.setPermissionMode(claudeMode))) reporter.setMode(mode);
	}

	return {
		sendPrompt: async (prompt) => take(prompt, 'follow-up'),
		followUp: async (prompt) => take(prompt, 'follow-up'),
		abort,
		models,
		getState: async () => (isStopped() ? { status: 'idle' } : turns.state()),
		control,
		close: deps.close,
	};
}

type Offered = { value: string; resolvedModel?: string | undefined };

export function toModelChoice(offered: readonly Offered[], env: Readonly<Record<string, string>>): ModelChoice | null {
	const named = Object.entries(env).flatMap(([name, value]) => (NAMES_MODEL.test(name) ? [value] : []));
	// Claude also lists the name it was started with.
	const own = offered.filter(({ value, resolvedModel }) => value !== resolvedModel || named.includes(value));
	if (own.length === 0) return null;
	const known = new Set([...own.flatMap(({ value, resolvedModel = value }) => [value, resolvedModel]), ...named]);
	return {
		names: own.map(({ value }) => value),
		has: (name) => known.has(name) || known.has(name.replace(LONG_CONTEXT, '')) || FULL_ID.test(name),
	};
}

const NAMES_MODEL = /^ANTHROPIC_(\w+_)?MODEL(_OPTION)?$/;
const LONG_CONTEXT = /\[1m\]$/;
/** Claude lists only the newest models; full ids and names of other providers are accepted too. */
const FULL_ID = /^claude-|[.:/@]|^opusplan$/;
