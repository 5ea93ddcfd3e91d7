// How a driven agent reports: events of one session in the normal form, through a Runtime.
import type { DrivenRequest } from '@roost/core/runtime/connection';
import { type RuntimeDecision, silence } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Exactly, HookName, HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import type { Runtime, RuntimeCapabilities } from '@roost/core/runtime/runtime';
import type { Timers } from '@roost/machine/timers';
import { stringAt } from '../base/json-object.ts';
import { createRuntimeCore, type RuntimeFailure } from '../base/runtime-core.ts';
import { readRuntimeEvent, toRuntimeEvent } from '../base/to-event.ts';
import { fitVerdict, type HookVerdict, toHookVerdict } from './verdict.ts';

export type EventReporter = {
	readonly runtime: Runtime;
	report<Name extends HookName, Payload extends HookPayload<Name>>(hookName: Name, payload: Exactly<Payload, Name>): void;
	/** The answer may come at once, and comes once; the returned function abandons the request. */
	ask<Name extends HookName, Payload extends HookPayload<Name>>(
		hookName: Name,
		payload: Exactly<Payload, Name>,
		answer: (verdict: HookVerdict) => void,
	): () => void;
	/** Payloads in the agent's own form: validated here, kept as they came where they do not match. */
	relay(hookName: string, payload: object): void;
	relayAsk(hookName: string, payload: object, answer: (verdict: HookVerdict) => void): () => void;
	/** Records a failure; the session continues. */
	fail(failure: RuntimeFailure): void;
	/** The id and the transcript may change during a session. */
	learn(known: { nativeId?: string | undefined; transcriptPath?: string | undefined }): void;
	nativeId(): string;
	mode(): string;
	setMode(mode: string): void;
};

export type EventReporterDeps = {
	capabilities: RuntimeCapabilities;
	/** The variable for the key of its provider, unless a message names another. */
	usualKey?: string | undefined;
	request: Pick<DrivenRequest, 'cwd' | 'gate' | 'permissionMode'>;
	/** Empty where it is not known yet. */
	nativeId: string;
	timers: Timers;
	now: () => number;
	newId: () => string;
	onStart?: () => void;
	onStop?: () => void;
};

export const DEFAULT_MODE = 'default';

export function createEventReporter(deps: EventReporterDeps): EventReporter {
	const { request, now, newId } = deps;
	const core = createRuntimeCore({
		...deps,
		gate: request.gate,
		fit: (event, decision) => fitVerdict(event, decision, request.gate),
	});
	let mode = request.permissionMode ?? DEFAULT_MODE;
	const known = { session_id: deps.nativeId, transcript_path: '', cwd: request.cwd };

	const newOrigin = () => ({ id: newId(), timestamp: now(), sessionId: known.session_id });

	function complete<Payload extends object>(hookName: string, payload: Payload) {
		return { ...known, permission_mode: mode, ...payload, ...keyLine(hookName, payload), hook_event_name: hookName };
	}

	/** For a failure because of a missing key: adds where to configure it. */
	function keyLine(hookName: string, payload: object): { last_assistant_message?: string } {
		const why = hookName === 'StopFailure' ? stringAt(payload, 'last_assistant_message') : undefined;
		return why === undefined ? {} : { last_assistant_message: withMissingKey(deps.capabilities.agent, why, deps.usualKey) };
	}

	function report(event: RuntimeEvent): void {
		offer({ ...event, interaction: { ...event.interaction, expectsDecision: false } }, () => {});
	}

	function ask(event: RuntimeEvent, answer: (verdict: HookVerdict) => void): () => void {
		return offer(event, (decision) => answer(toHookVerdict(event, decision) ?? UNSUPPORTED));
	}

	function offer(event: RuntimeEvent, answer: (decision: RuntimeDecision) => void): () => void {
		const offered = core.offer(event, answer);
		if (offered.ok) return offered.value.abandon;
		const { code, message } = offered.error;
		core.report({ code, message, detail: event.id });
		if (event.interaction.expectsDecision) answer(silence('enforce', { source: 'system', reason: message }));
		return () => {};
	}

	return {
		runtime: core.runtime,
		report: (hookName, payload) => report(toRuntimeEvent(newOrigin(), hookName, complete(hookName, payload))),
		ask: (hookName, payload, answer) => ask(toRuntimeEvent(newOrigin(), hookName, complete(hookName, payload)), answer),
		relay: (hookName, payload) => report(readRuntimeEvent(newOrigin(), hookName, complete(hookName, payload))),
		relayAsk: (hookName, payload, answer) => ask(readRuntimeEvent(newOrigin(), hookName, complete(hookName, payload)), answer),
		fail: core.report,
		learn({ nativeId, transcriptPath }) {
			known.session_id = nativeId ?? known.session_id;
			known.transcript_path = transcriptPath ?? known.transcript_path;
		},
		nativeId: () => known.session_id,
		mode: () => mode,
		setMode(wanted) {
			mode = wanted;
		},
	};
}

const UNSUPPORTED: HookVerdict = { type: 'deny', message: 'The agent does not support this decision.' };

/** Adds the line for config.yaml to a message about a missing key; `usual` is the default variable. */
export function withMissingKey(agent: string, sentence: string, usual?: string): string {
	if (!TELLS_OF_KEY.test(sentence)) return sentence;
	const name = VARIABLE.exec(sentence)?.[0] ?? keyOfProvider(sentence) ?? usual;
	if (name === undefined) return sentence;
	const line = `agents: {${agent}: {env: {${name}: <value>}}}`;
	return `${sentence.replace(/[.\s]*$/, '')}. To pass it, add "${line}" to config.yaml and restart the runner with "roost down".`;
}

/** As Codex, Claude, Pi and Copilot word it. */
const TELLS_OF_KEY =
	/missing environment variable|not logged in|no api key|no models available|no authentication information|missing bearer|requires a local model provider/i;

const VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/;

/** "No API key found for groq", "No API key for provider: zai-coding-cn". */
function keyOfProvider(sentence: string): string | undefined {
	const provider = /no api key (?:found )?for (?:provider:? )?"?([a-z0-9-]+)/i.exec(sentence)?.[1]?.toLowerCase();
	if (provider === undefined) return undefined;
	return OTHER_NAMES[provider] ?? `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`;
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
	google: 'GEMINI_API_KEY',
	'vercel-ai-gateway': 'AI_GATEWAY_API_KEY',
	'kimi-coding': 'KIMI_API_KEY',
	'github-copilot': 'COPILOT_GITHUB_TOKEN',
	huggingface: 'HF_TOKEN',
};
