// The real claude under Roost: hook server, engine and a SQLite record around a scripted model.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CLAUDE_HOOK_PROTOCOL } from '@roost/agents/claude/hooks/decision-mapper';
import { buildHookSettings, type HookSettings } from '@roost/agents/claude/hooks/settings';
import { hookEnvironment } from '@roost/agents/hooks/hook-environment';
import { type HookServer, startHookServer } from '@roost/agents/hooks/server';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { type SessionId, sessionId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import type { StoredLine } from '@roost/protocol/stored-line';
import type { Engine } from '@roost/runner/engine/engine';
import { summariseTranscript } from '@roost/runner/engine/summaries';
import { createUsageCounts } from '@roost/runner/engine/usage-counts';
import { createBindings } from '@roost/runner/observed/bindings';
import { routeLaunch } from '@roost/runner/observed/route-launch';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';
import type { Script } from '../../fakes/script.ts';
import { FORWARDER } from '../agents/observed-launch.ts';
import { readStored } from '../runner/engine-rig.ts';
import { createTestEngine } from '../runner/test-engine.ts';
import { createTestProjects } from '../runner/test-projects.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import { type ClaudeRig, createClaudeRig } from './claude-rig.ts';

export type GovernedClaude = AsyncDisposable & {
	claude: ClaudeRig;
	engine: Engine;
	store: Store;
	server: HookServer;
	sessionId: SessionId;
	/** For `--settings`, with the environment it needs. */
	settings: HookSettings;
	env: Record<string, string>;
	/** The session's record once everything reported so far is stored. */
	feed(): Promise<StoredLine[]>;
};

export type GovernedOptions = {
	script: Script;
	rules?: Rule[];
	gate?: GateMode;
	askTimeoutMs?: number;
	transport?: 'http' | 'command';
};

export async function createGovernedClaude(options: GovernedOptions): Promise<GovernedClaude> {
	const { gate = 'observe', rules, askTimeoutMs, transport = 'http' } = options;
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const store = stack.use(unwrap(openSqliteStore({ path: join(temp.path, 'roost.db'), access: 'write' })));
	const engine = stack.use(
		createTestEngine({ store, rules, askTimeoutMs, summarise: summariseTranscript, count: createUsageCounts() }),
	);
	const server = stack.use(unwrap(await startHookServer({ runDir: join(temp.path, 'run'), now: Date.now, newId: randomUUID })));
	const claude = stack.use(await createClaudeRig({ script: options.script }));
	const launch = server.openLaunch({ gate, protocol: CLAUDE_HOOK_PROTOCOL });
	const first = sessionId.parse('governed');
	let forks = 0;
	stack.use(
		routeLaunch({
			engine,
			bindings: createBindings({
				holders: engine.holders,
				holder: { isAlive: () => true },
				first,
				newSessionId: () => sessionId.parse(`governed-fork${++forks}`),
			}),
			runtime: launch.runtime,
			project: createTestProjects().identify(claude.project),
			gate,
			now: Date.now,
			onProblem: (message) => {
				throw new Error(message);
			},
		}),
	);
	launch.runtime.start();
	const owned = stack.move();
	return {
		claude,
		engine,
		store,
		server,
		sessionId: first,
		settings: buildHookSettings({
			httpUrl: server.httpUrl,
			socketPath: server.socketPath,
			forwarder: FORWARDER,
			gate,
			transport,
		}),
		env: hookEnvironment({ secret: launch.secret, socketPath: server.socketPath, gate, session: first }),
		async feed() {
			await engine.settled();
			return readStored(store, first);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
