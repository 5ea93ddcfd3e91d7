// A real runner in this process that drives the real `claude` against a scripted model; a test reaches it over its API.
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import { createStreamClient } from '@roost/client/stream-client';
import { isSameJson } from '@roost/core/feed/same-json';
import { removeRunnerFile, writeRunnerFile } from '@roost/home/runner-file';
import { keepToken } from '@roost/home/token';
import { VERSION } from '@roost/home/version';
import { realTimers } from '@roost/machine/timers';
import type { CreateSession } from '@roost/protocol/api/driving';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { projectId, type SessionId } from '@roost/protocol/ids';
import { openRunner } from '@roost/runner/open-runner';
import { spokenWords } from '../../fakes/model-request.ts';
import type { Script } from '../../fakes/script.ts';
import { openRigSocket } from '../api/api-rig.ts';
import { roostArgv } from '../runner/roost-cli.ts';
import { type SessionStory, startStory } from '../runner/session-story.ts';
import { createGitRepository } from '../shell/git-repository.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';
import { type ClaudeRig, createClaudeRig } from './claude-rig.ts';

export type DrivenClaude = AsyncDisposable & {
	readonly claude: ClaudeRig;
	readonly env: Readonly<Record<string, string>>;
	readonly url: string;
	readonly token: string;
	readonly api: ApiClient;
	/** A session of Claude, in the rig's project unless told otherwise. */
	start(body?: Partial<CreateSession>): Promise<SessionStory>;
	/** What such a session is made with. */
	describe(): Promise<CreateSession>;
	/** All that was said, as the model was given it last. */
	spoken(): string[];
	/** Somebody who looks on from now on. */
	watch(): Promise<Onlooker>;
};

export type Onlooker = AsyncDisposable & {
	/** Resolves when these pieces were shown of what a session's agent says, and no others before them. */
	sees(id: SessionId, pieces: readonly string[]): Promise<void>;
};

export type DrivenClaudeOptions = {
	script: Script;
	/** On top of what a user of the rig's Claude has. */
	env?: Readonly<Record<string, string>>;
	/** The runner's `config.yaml`. */
	config?: object;
};

export async function openDrivenClaude(options: DrivenClaudeOptions): Promise<DrivenClaude> {
	await using stack = new AsyncDisposableStack();
	const claude = stack.use(await createClaudeRig(options));
	const env = await drivenEnv(claude, options);
	const journal = { log: () => {}, hide: () => {} };
	const { home, gateway } = stack.use(unwrap(await openRunner({ env, flags: {}, journal, warn: () => {}, roost: roostArgv() })));
	unwrap(writeRunnerFile(home, { port: gateway.port, version: VERSION, startedAt: Date.now() }));
	stack.defer(() => void removeRunnerFile(home));
	const token = unwrap(keepToken({ home, env }));
	const { url } = gateway;
	const api = createApiClient({ baseUrl: url, token, face: 'cli', fetch: (to, init) => fetch(to, init) });
	const owned = stack.move();
	return {
		claude,
		env,
		url,
		token,
		api,
		describe: () => claudeSession(claude),
		start: async (body) => await startStory(api, await claudeSession(claude, body)),
		spoken: () => claude.model.requests.slice(-1).flatMap(spokenWords),
		watch: () => watch(url, token),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const DEADLINE_MS = 30_000;

async function watch(url: string, token: string): Promise<Onlooker> {
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
			await waitFor(isThere, { deadlineMs: DEADLINE_MS, what: `${wanted.length} pieces`, seen: () => shown(id) });
		},
		[Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
	};
}

/** A home for a runner whose `claude` is the rig's. */
export async function drivenEnv(
	claude: ClaudeRig,
	options: Omit<DrivenClaudeOptions, 'script'>,
): Promise<Record<string, string>> {
	const roostHome = join(claude.home, 'roost');
	await mkdir(roostHome, { mode: 0o700 });
	const config = { runner: { port: 0 }, agents: { claude: { command: [claude.binary] } }, ...options.config };
	await writeFile(join(roostHome, 'config.yaml'), JSON.stringify(config), { mode: 0o600 });
	return { ...claude.env, ...options.env, ROOST_HOME: roostHome };
}

export async function claudeSession(claude: ClaudeRig, body: Partial<CreateSession> = {}): Promise<CreateSession> {
	return { agent: 'claude', projectId: projectId.parse(await realpath(claude.project)), ...body };
}

/** Another repository beside the rig's own. */
export async function createSecondProject(claude: ClaudeRig): Promise<ReturnType<typeof projectId.parse>> {
	const path = join(claude.home, 'second');
	await mkdir(path);
	await createGitRepository(path, claude.env);
	return projectId.parse(await realpath(path));
}
