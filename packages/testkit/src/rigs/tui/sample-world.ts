// A fixed sample of the state that the terminal UI shows.

import type { OpenSession, World } from '@roost/client/world/world';
import { createFeedList } from '@roost/core/views/feed-list';
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import type { PastSession } from '@roost/protocol/api/projects';
import type { AskRow } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import { askId, runnerId, sessionId } from '@roost/protocol/ids';
import { sampleAsk, sampleRule, sampleSession } from '../record/sample-append.ts';
import { SAMPLE_START, sampleFeed } from '../record/sample-feed.ts';

/** A minute after the session began. */
export const SAMPLE_NOW = SAMPLE_START + 60_000;

export function sampleWorld(over: Partial<World> = {}): World {
	const session = sampleSession('k3f9', {
		title: 'Make the health check honest',
		model: 'claude-opus-5',
		status: 'waiting',
		startedAt: SAMPLE_START,
		lastEventAt: SAMPLE_NOW,
	});
	const older = sampleSession('m2x7', {
		title: 'Why is the login slow?',
		status: 'ended',
		startedAt: SAMPLE_START - 86_400_000,
		lastEventAt: SAMPLE_START - 80_000_000,
		endedAt: SAMPLE_START - 80_000_000,
		events: 214,
	});
	return {
		now: SAMPLE_NOW,
		project: { path: '/project' },
		connection: { state: 'live', since: SAMPLE_START },
		readAt: SAMPLE_NOW,
		sessions: [session, older],
		asks: [],
		decided: new Map(),
		answered: new Set(),
		rules: [sampleRule('7kq2m4xz9p', { createdAt: SAMPLE_START })],
		ruleTest: null,
		found: null,
		past: null,
		driving: { takesPrompts: true },
		agentStatus: null,
		agents: [{ id: 'mock', guard: 'guarded' }],
		queues: new Map(),
		models: [],
		runners: null,
		elsewhere: [],
		open: { ...sampleOpen(sampleFeed()), row: session },
		...over,
	};
}

/** A session with this record, read to the end. */
export function sampleOpen(events: readonly FeedEvent[], id = 'k3f9'): OpenSession {
	const view = createSessionView(sessionId.parse(id));
	const feed = createFeedList();
	for (const event of events) {
		feed.add(event);
		foldSessionView(view, event);
	}
	return { id: view.sessionId, row: undefined, view, feed, loading: null, streaming: new Map() };
}

/** A past session that Roost did not observe. */
export function samplePast(over: Partial<PastSession> = {}): PastSession {
	return {
		agent: 'claude',
		nativeId: '5f0c8f7e-0000-4000-8000-000000000001',
		title: 'Explain the retry loop',
		messages: 12,
		toolCalls: 3,
		tokens: { input_tokens: 10, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 },
		startedAt: SAMPLE_START - 86_400_000,
		lastActivity: SAMPLE_START - 80_000_000,
		cwd: '/project',
		resumable: true,
		...over,
	};
}

/** A dangerous command of that session with a pending request that expires in five minutes. */
export function samplePermission(over: Partial<AskRow> = {}): AskRow {
	return sampleAsk('k3f9.1', {
		sessionId: sessionId.parse('k3f9'),
		input: { command: 'rm -rf dist && npm run build' },
		risk: 'high',
		openedAt: SAMPLE_NOW - 10_000,
		expiresAt: SAMPLE_NOW + 290_000,
		...over,
	});
}

/** Two questions of that session; the second takes several answers. */
export function sampleQuestion(over: Partial<AskRow> = {}): AskRow {
	return samplePermission({
		id: askId.parse('k3f9.2'),
		kind: 'question',
		tool: 'AskUserQuestion',
		risk: 'low',
		reason: 'the agent asks',
		input: {
			questions: [
				{
					question: 'What shall the check answer while the database starts?',
					header: 'Answer',
					multi_select: false,
					options: [
						{ label: '503', description: 'Say that it is not there yet' },
						{ label: '200', description: 'Say that all is well' },
					],
				},
				{
					question: 'Which other checks shall follow?',
					header: 'Scope',
					multi_select: true,
					options: [{ label: 'Cache' }, { label: 'Queue' }, { label: 'Mail' }],
				},
			],
		},
		...over,
	});
}

/** Three runners of a hub, one of them offline, and two requests at others than the shown one. */
export function sampleHub(): Pick<World, 'runners' | 'elsewhere'> {
	const laptop = sampleRunnerRow('laptop', { working: 1, asks: 1 });
	const server = sampleRunnerRow('build-server', { online: false, since: SAMPLE_NOW - 90 * 60_000, asks: 1 });
	const old = sampleRunnerRow('old-mac', { online: false, since: SAMPLE_NOW - 86_400_000, version: '0.0.9' });
	const desktop = sampleRunnerRow('desktop', { asks: 1 });
	const input = { file_path: '/home/lea/shop/src/cart.ts', old_string: 'a', new_string: 'b' };
	const edit = sampleAsk('z8w3.4', { sessionId: sessionId.parse('z8w3'), tool: 'Edit', input, openedAt: SAMPLE_NOW - 300_000 });
	const push = sampleAsk('k3f9.1', { sessionId: sessionId.parse('k3f9'), input: { command: 'git push' }, risk: 'low' });
	const later = { openedAt: SAMPLE_NOW - 20_000, expiresAt: SAMPLE_NOW + 280_000 };
	return {
		runners: { shown: laptop.id, rows: [server, desktop, laptop, old] },
		elsewhere: [
			{ ...edit, runner: server },
			{ ...push, ...later, runner: desktop },
		],
	};
}

function sampleRunnerRow(name: string, over: Partial<RunnerRow> = {}): RunnerRow {
	const id = runnerId.parse(`id-of-${name}`);
	return { id, name, version: '0.1.0', online: true, since: SAMPLE_START, asks: 0, working: 0, ...over };
}
