// The runner as a process: one per home. Everything it owns is opened here in order, and closed in the reverse order when it ends.
import { createHash, randomUUID } from 'node:crypto';
import { startHookServer } from '@roost/agents/claude/hooks/server';
import { realTimers } from '@roost/agents/timers';
import { type Gateway, startGateway } from '@roost/gateway/gateway';
import { ok, type Result } from '@roost/protocol/result';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { createBackend, type RunnerBackend } from './backend.ts';
import { type ConfigFlags, loadConfig } from './config/load-config.ts';
import { createEngine } from './engine/engine.ts';
import { summariseTranscript } from './engine/summaries.ts';
import { ensureHome, type Home, resolveHome } from './home.ts';
import { ancestorsOf } from './life/ancestors.ts';
import { createDrain } from './life/drain.ts';
import { createIdleEnd, IDLE_MS } from './life/idle.ts';
import { type RunningRunner, removeRunnerFile, writeRunnerFile } from './life/runner-file.ts';
import { keepToken } from './life/token.ts';
import { createLaunchDesk, type LaunchDesk } from './observed/launch-desk.ts';
import { createSelfApproval } from './observed/self-approval.ts';
import { builtinDenies } from './rules/builtin-denies.ts';
import { openRuleBook } from './rules/rule-book.ts';
import { keepRunnerId } from './runner-id.ts';
import { newShortId } from './short-id.ts';
import { VERSION } from './version.ts';

export type ServeOptions = {
	env: NodeJS.ProcessEnv;
	flags: ConfigFlags;
	/** Ends by itself when nobody needs it: for runners that a command started. */
	endWhenIdle: boolean;
	log: (sentence: string) => void;
	/** Told once it can be reached. */
	onUp: (up: { url: string; running: RunningRunner }) => void;
};

/** Resolves with the exit code when the runner has ended. */
export async function serve(options: ServeOptions): Promise<Result<number>> {
	const opened = await openRunner(options);
	if (!opened.ok) return opened;
	const { home, gateway, launches, backend, close } = opened.value;
	const running = writeRunnerFile(home, { port: gateway.port, version: VERSION, startedAt: Date.now() });
	if (!running.ok) {
		await close();
		return running;
	}
	using drain = createDrain([{ name: 'closing what is open', run: close }], {
		timers: realTimers,
		onProblem: options.log,
		exit: process.exit,
	});
	using idle = createIdleEnd({
		isIdle: () => options.endWhenIdle && launches.count() === 0 && gateway.clients() === 0,
		idleMs: IDLE_MS,
		timers: realTimers,
		onIdle: drain.start,
	});
	using _touched = { [Symbol.dispose]: backend.onTold(() => idle.touch()) };
	options.onUp({ url: gateway.url, running: running.value });
	return ok(await drain.ended);
}

type Opened = { home: Home; gateway: Gateway; launches: LaunchDesk; backend: RunnerBackend; close: () => Promise<void> };

async function openRunner(options: ServeOptions): Promise<Result<Opened>> {
	await using stack = new AsyncDisposableStack();
	const { env } = options;
	const config = loadConfig({ env, flags: options.flags });
	if (!config.ok) return config;
	const home = resolveHome(env);
	if (!home.ok) return home;
	const ready = ensureHome(home.value);
	if (!ready.ok) return ready;
	const token = keepToken({ home: home.value, env, auth: config.value.auth });
	if (!token.ok) return token;
	const runnerId = keepRunnerId(home.value.runnerId);
	if (!runnerId.ok) return runnerId;
	const store = openSqliteStore({ path: home.value.database, access: 'write' });
	if (!store.ok) return store;
	stack.use(store.value);

	const hash = (text: string) => createHash('sha256').update(text).digest('hex');
	const rules = openRuleBook({
		store: store.value,
		runnerId: runnerId.value,
		now: Date.now,
		newId: newShortId,
		hash,
		tell: (entries) => backend.tell(entries),
	});
	if (!rules.ok) return rules;
	const engine = stack.use(
		createEngine({
			store: store.value,
			runnerId: runnerId.value,
			now: Date.now,
			hash,
			newNonce: randomUUID,
			rules: rules.value.list,
			builtinDenies: builtinDenies(home.value),
			askTimeoutMs: config.value.sdk.approvalTimeoutMs,
			summarise: summariseTranscript,
		}),
	);
	const server = await startHookServer({ runDir: home.value.run, now: Date.now, newId: randomUUID });
	if (!server.ok) return server;
	stack.use(server.value);
	const launches = stack.use(
		createLaunchDesk({ engine, store: store.value, server: server.value, now: Date.now, warn: options.log }),
	);
	const selfApproval = createSelfApproval({ launches, engine, ancestorsOf, warn: options.log });
	const backend = createBackend({
		runner: { id: runnerId.value, name: config.value.runner.name, version: VERSION },
		store: store.value,
		engine,
		rules: rules.value,
		launches,
		selfApproval,
	});
	const gateway = await listen(backend, config.value.runner, token.value, selfApproval.noteWrongToken);
	if (!gateway.ok) return gateway;
	stack.use(gateway.value);
	stack.defer(() => {
		removeRunnerFile(home.value);
	});
	const owned = stack.move();
	return ok({ home: home.value, gateway: gateway.value, launches, backend, close: () => owned.disposeAsync() });
}

/** The usual port is a convenience; where another home's runner has it, any free one will do. */
async function listen(
	backend: RunnerBackend,
	{ host, port }: { host: string; port: number },
	token: string,
	onWrongToken: (token: string) => void,
): Promise<Result<Gateway>> {
	const deps = { backend, host, token, onWrongToken, now: Date.now, newId: randomUUID };
	const usual = await startGateway({ ...deps, port });
	return usual.ok || port !== DEFAULT_PORT ? usual : startGateway({ ...deps, port: 0 });
}

const DEFAULT_PORT = 3100;
