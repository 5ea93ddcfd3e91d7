// A real Chromium with an empty profile, for the pages that Roost serves and for pages that attack it.
import { findProgram } from '@roost/machine/find-program';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createTabs, type OpenTab } from './browser-tabs.ts';

export type Chromium = AsyncDisposable & {
	/** A separate profile: it shares neither storage nor history with others. */
	profile(options?: BrowserContextOptions): Promise<Profile>;
	/** A tab of the one window of its first profile; only with windows. */
	readonly openTab: OpenTab;
};

export type Profile = {
	readonly context: BrowserContext;
	/** Console errors, uncaught errors and policy violations of its pages. */
	readonly complaints: readonly string[];
	/** Requests to another origin are complaints too. */
	keepTo(origin: string): void;
	open(url: string): Promise<Page>;
};

const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

export type ChromiumOptions = {
	/** As users have it, with tabs and notifications. Without windows, a profile takes a third of the CPU time. */
	windows?: boolean;
	/** A certificate by the hash of its key; a worker is not loaded with one that a page only ignores. */
	trusts?: string;
	/** A name that resolves to this machine. */
	resolves?: string;
};

export async function startChromium({ windows = false, trusts, resolves }: ChromiumOptions = {}): Promise<Chromium> {
	const executablePath =
		(windows ? null : findProgram('chromium-headless-shell', process.env)) ?? findProgram('chromium', process.env);
	if (executablePath === null) throw new Error('chromium is not on the PATH: install it.');
	const args = [
		...FLAGS,
		...(trusts === undefined ? [] : [`--ignore-certificate-errors-spki-list=${trusts}`]),
		...(resolves === undefined ? [] : [`--host-resolver-rules=MAP ${resolves} 127.0.0.1`]),
	];
	const browser = await chromium.launch({ executablePath, headless: true, args });
	return {
		openTab: createTabs(await browser.newBrowserCDPSession()),
		async profile(options = {}) {
			const context = await browser.newContext(options);
			const complaints: string[] = [];
			context.on('console', (message) => {
				if (message.type() === 'error')
					complaints.push(`${message.page()?.url()}: ${message.text()} (${message.location().url})`);
			});
			context.on('weberror', (problem) => void complaints.push(String(problem.error())));
			return {
				context,
				complaints,
				keepTo(origin) {
					context.on('request', (request) => {
						if (new URL(request.url()).origin !== origin) complaints.push(`request to ${request.url()}`);
					});
				},
				async open(url) {
					const page = await context.newPage();
					await page.goto(url);
					return page;
				},
			};
		},
		[Symbol.asyncDispose]: () => browser.close(),
	};
}

/** Runs the body of an async function in the page. Not \`page.evaluate\`: its \`eval\` is what the policy of the page forbids. */
export async function runInPage(page: Page, body: string): Promise<unknown> {
	const session = await page.context().newCDPSession(page);
	const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
		expression: `(async () => {${body}})()`,
		awaitPromise: true,
		returnByValue: true,
	});
	if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
	return result.value;
}
