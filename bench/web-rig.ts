// The page of a real runner in a real Chromium, with a short and a long session, for the benchmarks of the browser.
import { realpath } from 'node:fs/promises';
import { type Chromium, runInPage, startChromium } from '@roost/testkit/rigs/api/chromium';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { DESK } from '@roost/testkit/rigs/web/open-page';
import { openHttpHook, type Report } from './hook-client.ts';
import { type RunnerProcess, startRunnerProcess } from './runner-process.ts';
import { fillHome } from './stored-home.ts';

export const FEW = 1_000;
export const MANY = 100_000;
const CONNECTIONS = 8;

export type Profile = Awaited<ReturnType<Chromium['profile']>>;
export type Page = Awaited<ReturnType<Profile['open']>>;
export type ProfileOptions = Parameters<Chromium['profile']>[0];

export type Agent = Disposable & {
	/** One for each connection. */
	readonly reports: readonly Report[];
	/** Resolves with the answer of the user, when it is on disk. */
	ask(command: string): Promise<void>;
};

export type WebRig = AsyncDisposable & {
	readonly runner: RunnerProcess;
	readonly chromium: Chromium;
	/** A link that logs a browser in. */
	link(): Promise<string>;
	/** A profile that is logged in. `before`: a script that its pages run before their own. */
	logIn(before?: string, options?: ProfileOptions): Promise<Profile>;
	address(session: 'few' | 'many'): string;
	/** They continue the sessions. */
	readonly agents: Readonly<Record<'few' | 'many', Agent>>;
};

export async function startWebRig(): Promise<WebRig> {
	await using stack = new AsyncDisposableStack();
	const home = stack.use(await createTempDir());
	// An agent may continue a session of its own project.
	const project = await realpath(home.path);
	await fillHome(home.path, FEW, { perSession: FEW, project, name: 'few', run: 9 });
	await fillHome(home.path, MANY, { perSession: MANY, project, name: 'many', run: 9 });
	const runner = stack.use(await startRunnerProcess(home.path));
	const chromium = stack.use(await startChromium({ windows: true }));
	const link = async () => `${runner.url}${unwrap(await runner.api.login.ticket()).path}`;
	const few = stack.use(await continueSession(runner, 'native-few0'));
	const many = stack.use(await continueSession(runner, 'native-many0'));
	const owned = stack.move();
	return {
		runner,
		chromium,
		link,
		async logIn(before = '', options = DESK) {
			const profile = await chromium.profile(options);
			await profile.context.addInitScript(before);
			const page = await profile.open(await link());
			await page.waitForSelector('[role="status"][data-state="live"]');
			await page.close();
			return profile;
		},
		address: (session) => `${runner.url}/s/${session}0`,
		agents: { few, many },
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function continueSession(runner: RunnerProcess, session_id: string): Promise<Agent> {
	// Not this process, which the browser descends from: a browser of an agent is refused.
	const door = await runner.openLaunch(runner.pid);
	const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openHttpHook(door)));
	const reports = connections.map(
		(report): Report =>
			Object.assign((payload = {}) => report({ ...payload, session_id }), { [Symbol.dispose]: report[Symbol.dispose] }),
	);
	await reports[0]?.({ hook_event_name: 'SessionStart', source: 'resume' });
	return {
		reports,
		async ask(command) {
			const body = { session_id, hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command } };
			const headers = { authorization: `Bearer ${door.secret}`, 'content-type': 'application/json' };
			await (await fetch(door.httpUrl, { method: 'POST', headers, body: JSON.stringify(body) })).text();
		},
		[Symbol.dispose]() {
			for (const report of reports) report[Symbol.dispose]();
		},
	};
}

/** A number that the body of an async function returns in the page. */
export async function numberIn(page: Page, body: string): Promise<number> {
	return Number(await runInPage(page, body));
}
