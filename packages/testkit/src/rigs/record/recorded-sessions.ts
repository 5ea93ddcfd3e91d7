// One session of each agent from what was recorded of it: read by its own adapter, and mapped by the step that records sessions.
import { CLAUDE_HOOK_PROTOCOL } from '@roost/agents/claude/hooks/decision-mapper';
import { CODEX_HOOK_PROTOCOL } from '@roost/agents/codex/observed-hooks';
import { COPILOT_HOOK_PROTOCOL, COPILOT_HOOKS } from '@roost/agents/copilot/observed-hooks';
import { createLaunchRuntime, type HookProtocol } from '@roost/agents/hooks/launch-runtime';
import { PI_HOOK_PROTOCOL } from '@roost/agents/pi/launch';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type RecordedHook, readAcpSamples, readRecordedHooks } from '../../samples/agent-samples.ts';
import { readHookSamples } from '../../samples/claude-samples.ts';
import { createAcpReplay } from '../agents/acp-replay.ts';
import { createManualTimers } from '../manual-timers.ts';
import { createEngineRig, type EngineRig } from '../runner/engine-rig.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';
import { sampleRule } from './sample-append.ts';
import { SAMPLE_START } from './sample-feed.ts';

export type RecordedAgent = 'claude' | 'codex' | 'copilot' | 'pi' | 'acp';

/** The calls that the rule of these sessions denies, in the words of each recording. */
const DENIED = ['*forbidden*', '*FORBIDDEN*', 'touch acp2'];
const RULES = [
	...DENIED.map((argsPattern, at) => sampleRule(`deny-${at + 1}`, { argsPattern, decision: 'deny' })),
	sampleRule('allow', { tool: '*', argsPattern: undefined }),
];

/** Each event a second after the one before. */
export async function readRecordedSession(agent: RecordedAgent): Promise<FeedEvent[]> {
	const stored = agent === 'acp' ? await playMessages(agent) : await playHooks(agent);
	return stored.map((event, at) => ({ ...event, ts: SAMPLE_START + at * 1_000 }));
}

const PROTOCOLS: Readonly<Record<Exclude<RecordedAgent, 'acp'>, HookProtocol>> = {
	claude: CLAUDE_HOOK_PROTOCOL,
	codex: CODEX_HOOK_PROTOCOL,
	copilot: COPILOT_HOOK_PROTOCOL,
	pi: PI_HOOK_PROTOCOL,
};

async function playHooks(agent: Exclude<RecordedAgent, 'acp'>): Promise<FeedEvent[]> {
	const timers = createManualTimers();
	let id = 0;
	const newId = () => `request-${++id}`;
	const protocol = PROTOCOLS[agent];
	const { runtime, accept } = createLaunchRuntime({ timers, now: timers.now, newId, gate: 'observe', protocol });
	await using rig = createEngineRig({ runtime, sessionId: agent, rules: RULES });
	for (const { event, payload } of hooksOf(agent)) {
		let isAnswered = false;
		const envelope = { request_id: newId(), ts: 1, session_id: '', hook_event_name: event, payload };
		unwrap(accept(envelope, () => (isAnswered = true)));
		// What a person must answer stays open.
		await waitFor(() => isAnswered || isAsked(rig) || undefined, { what: `the reply to ${event}`, everyMs: 1, seen: rig.kinds });
	}
	return await storedUpTo(rig, 'session.end');
}

function isAsked({ kinds }: EngineRig): boolean {
	return /\.request$/.test(kinds().at(-1) ?? '');
}

function hooksOf(agent: Exclude<RecordedAgent, 'acp'>): readonly RecordedHook[] {
	if (agent === 'claude') return claudeHooks();
	const names = new Map<string, string>(COPILOT_HOOKS.map(({ native, hookName }) => [native, hookName]));
	return readRecordedHooks(agent).flatMap(({ event, payload }) => {
		const hookName = agent === 'copilot' ? names.get(event) : event;
		return hookName === undefined ? [] : [{ event: hookName, payload }];
	});
}

const FIRST = [
	'Setup',
	'SessionStart',
	'InstructionsLoaded',
	'UserPromptExpansion',
	'UserPromptSubmit',
	'SubagentStart',
	'PreToolUse',
];
const LAST = ['SubagentStop', 'Stop', 'StopFailure', 'SessionEnd'];
/** They begin another session. */
const ELSEWHERE = new Set(['SessionStart clear', 'SessionStart fork', 'SessionEnd clear']);

/** Every recorded payload of every hook as one session; the payloads are of many. */
function claudeHooks(): readonly RecordedHook[] {
	const place = (event: string) => {
		const first = FIRST.indexOf(event);
		return first >= 0 ? first : FIRST.length + 1 + LAST.indexOf(event);
	};
	return readHookSamples()
		.filter(({ event, variant }) => !ELSEWHERE.has(`${event} ${variant}`))
		.map(({ event, payload }) => ({ event, payload: { ...payload, session_id: 'recorded' } }))
		.sort((one, other) => place(one.event) - place(other.event));
}

async function playMessages(agent: 'acp'): Promise<FeedEvent[]> {
	const { runtime, report, play } = createAcpReplay();
	await using rig = createEngineRig({ runtime, gate: 'enforce', sessionId: agent, rules: RULES });
	report('SessionStart', { source: 'startup' });
	report('UserPromptSubmit', { prompt: 'Make the health check honest' });
	await play(readAcpSamples().get('opencode') ?? []);
	report('Stop', { stop_hook_active: false, interrupted: false });
	report('SessionEnd', { reason: 'other' });
	return await storedUpTo(rig, 'session.end');
}

async function storedUpTo(rig: EngineRig, kind: FeedEvent['kind']): Promise<FeedEvent[]> {
	await waitFor(() => (rig.kinds().includes(kind) ? true : undefined), { what: kind, seen: rig.kinds });
	return rig.stored().map(({ event }) => event);
}
