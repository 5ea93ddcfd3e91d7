// The real `claude` with Roost's hooks: hook server, engine and a SQLite record around a scripted model.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CLAUDE_HOOK_PROTOCOL } from '@roost/agents/claude/hooks/decision-mapper';
import { buildHookSettings, type HookSettings } from '@roost/agents/claude/hooks/settings';
import { hookEnvironment } from '@roost/agents/hooks/hook-environment';
import { startHookServer } from '@roost/agents/hooks/server';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Rule } from '@roost/protocol/rule';
import type { StoredLine } from '@roost/protocol/stored-line';
import { summariseTranscript } from '@roost/runner/engine/summaries';
import { createUsageCounts } from '@roost/runner/engine/usage-counts';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Script } from '../../fakes/script.ts';
import { createEngineRig, type EngineRig } from '../runner/engine-rig.ts';
import { createTestProjects } from '../runner/test-engine.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import { type ClaudeRig, openClaudeRig } from './claude-rig.ts';
import { FORWARDER } from './observed-launch.ts';

export type ObservedClaude = AsyncDisposable &
	Pick<EngineRig, 'engine' | 'store'> & {
		readonly claude: ClaudeRig;
		/** For `--settings`, with the environment it needs. */
		readonly settings: HookSettings;
		readonly env: Record<string, string>;
		/** The session's record once everything reported so far is stored. */
		feed(): Promise<StoredLine[]>;
	};

export type ObservedOptions = {
	script: Script;
	rules?: Rule[];
	gate?: GateMode;
	askTimeoutMs?: number;
	transport?: 'http' | 'command';
};

export async function openObservedClaude(options: ObservedOptions): Promise<ObservedClaude> {
	const { script, gate = 'observe', rules, askTimeoutMs, transport = 'http' } = options;
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const store = stack.use(unwrap(openSqliteStore({ path: join(temp.path, 'roost.db'), access: 'write' })));
	const server = stack.use(unwrap(await startHookServer({ runDir: join(temp.path, 'run'), now: Date.now, newId: randomUUID })));
	const { runtime, secret } = server.openLaunch({ gate, protocol: CLAUDE_HOOK_PROTOCOL });
	const claude = stack.use(await openClaudeRig({ script }));
	const project = createTestProjects().identify(claude.project);
	const reads = { summarise: summariseTranscript, count: createUsageCounts() };
	const { engine, sessionId, stored } = stack.use(
		createEngineRig({ store, rules, gate, askTimeoutMs, project, runtime, sessionId: 'governed', ...reads }),
	);
	const { httpUrl, socketPath } = server;
	const owned = stack.move();
	return {
		claude,
		engine,
		store,
		settings: buildHookSettings({ httpUrl, socketPath, forwarder: FORWARDER, gate, transport }),
		env: hookEnvironment({ secret, socketPath, gate, session: sessionId }),
		async feed() {
			await engine.settled();
			return stored();
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
