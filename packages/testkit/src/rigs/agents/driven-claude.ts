// The real `claude`, driven by a real runner in this process, against a scripted model.
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createStreamClient } from '@roost/client/stream-client';
import { isSameJson } from '@roost/core/feed/same-json';
import { realTimers } from '@roost/machine/timers';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { type ProjectId, projectId, type SessionId } from '@roost/protocol/ids';
import { spokenWords } from '../../fakes/model-request.ts';
import type { Script } from '../../fakes/script.ts';
import { openRigSocket } from '../api/test-gateway.ts';
import { type InProcessRunner, type ReachedRunner, startRunner } from '../runner/runner-rig.ts';
import { createGitRepository } from '../shell/git-repository.ts';
import { waitFor } from '../wait-for.ts';
import { type ClaudeRig, openClaudeRig } from './claude-rig.ts';

export type DrivenClaude = InProcessRunner & {
	readonly claude: ClaudeRig;
	/** The conversation in the model's last request. */
	spoken(): string[];
	/** A client that receives what follows. */
	watch(): Promise<Onlooker>;
};

export type Onlooker = AsyncDisposable & {
	/** Resolves when exactly these pieces of a session's messages were shown. */
	sees(id: SessionId, pieces: readonly string[]): Promise<void>;
};

export type DrivenClaudeOptions = {
	script: Script;
	/** Added to the user's environment. */
	env?: Readonly<Record<string, string>>;
	/** The runner's config.yaml. */
	config?: object;
};

export async function openDrivenClaude({ config, ...options }: DrivenClaudeOptions): Promise<DrivenClaude> {
	await using stack = new AsyncDisposableStack();
	const claude = stack.use(await openClaudeRig(options));
	const agents = { claude: { command: [claude.program] } };
	const runner = stack.use(await startRunner({ rig: claude, agent: 'claude', config: { agents, ...config } }));
	const owned = stack.move();
	return {
		...runner,
		claude,
		spoken: () => claude.requests.slice(-1).flatMap(spokenWords),
		watch: () => watch(runner),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function watch({ url, token }: ReachedRunner): Promise<Onlooker> {
	const pieces: FeedEventOf<'message.display'>[] = [];
	const live = Promise.withResolvers<void>();
	const stream = createStreamClient({
		openSocket: () => openRigSocket(`${url.replace('http', 'ws')}/api/v1/stream`, token),
		timers: realTimers,
		now: Date.now,
		random: Math.random,
		newId: () => crypto.randomUUID(),
	});
	stream.onDelta((event) => void (event.kind === 'message.display' && pieces.push(event)));
	stream.follow({ after: null }, { onLine: () => {}, onCaughtUp: live.resolve });
	await live.promise;
	const shown = (id: SessionId) =>
		pieces.flatMap(({ session_id, data }) => (session_id === id && data.delta !== '' ? [data.delta] : []));
	return {
		async sees(id, wanted) {
			const isThere = () => (isSameJson(shown(id), wanted) ? true : undefined);
			await waitFor(isThere, { what: `${wanted.length} pieces`, seen: () => shown(id) });
		},
		[Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
	};
}

/** Another repository beside the rig's own. */
export async function createSecondProject(claude: ClaudeRig): Promise<ProjectId> {
	const path = join(claude.home, 'second');
	await mkdir(path);
	await createGitRepository(path, claude.env);
	return projectId.parse(await realpath(path));
}
