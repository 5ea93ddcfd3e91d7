// The real script of the page, against the real gateway, in a document that knows nothing but text.
import { createContext, runInContext } from 'node:vm';
import { startTestGateway, type TestGateway } from '@roost/testkit/rigs/test-gateway';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

describe('the script of the page', () => {
	it('shows what runs and what waits, and how to answer it', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		rig.world.openAsk('s1.1');
		rig.world.openAsk('s1.2', { kind: 'question', tool: 'AskUserQuestion' });
		const page = await openPage(rig, await rig.logIn());
		await page.waitFor('shown');
		expect(page.text('runner')).toBe('test, version 0.1.0');
		expect(page.text('state')).toContain('answer what waits in a terminal');
		expect(page.text('asks')).toMatch(/Bash.*"command": "ls".*roost allow s1\.1 .*roost deny s1\.1.*roost answer s1\.2 --set/s);
		expect(page.text('sessions')).toContain('roost feed s1');
	});

	it('shows hostile text as text', async () => {
		await using rig = await startTestGateway();
		const hostile = '<img src=x onerror=alert(1)>\u202E\u001b[2K';
		rig.world.openAsk('s1.1', { tool: hostile, input: { command: hostile } });
		const page = await openPage(rig, await rig.logIn());
		await page.waitFor('shown');
		expect(page.text('asks').match(/<img src=x onerror=alert\(1\)>\\u\{202e\}\\{1,2}(?:x|u00)1b\[2K/g)).toHaveLength(2);
	});

	it('says what to do where nobody is logged in', async () => {
		await using rig = await startTestGateway();
		const page = await openPage(rig, undefined);
		await page.waitFor('hidden');
		expect(page.text('state')).toContain('roost status --link');
	});

	it('logs out, and then shows nothing any more', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('s1.1');
		const page = await openPage(rig, await rig.logIn());
		await page.waitFor('shown');
		page.click('logout');
		await page.waitFor('hidden');
		expect(page.text('state')).toContain('You are not logged in here');
		expect(page.text('asks')).toBe('');
	});
});

type Part = {
	textContent: string;
	hidden: boolean;
	parts: Part[];
	clicked: () => void;
	append(...parts: Part[]): void;
	replaceChildren(...parts: Part[]): void;
	addEventListener(event: 'click', run: () => void): void;
};

/** Whatever is not here, such as innerHTML, does nothing, so that what a test reads was set as text. */
function createPart(): Part {
	const part: Part = {
		textContent: '',
		hidden: true,
		parts: [],
		clicked: () => {},
		append: (...parts) => void part.parts.push(...parts),
		replaceChildren: (...parts) => {
			part.parts = parts;
		},
		addEventListener: (_event, run) => {
			part.clicked = run;
		},
	};
	return part;
}

async function openPage(rig: TestGateway, cookie: string | undefined) {
	const parts = new Map<string, Part>();
	const find = (id: string): Part => {
		const part = parts.get(id) ?? createPart();
		parts.set(id, part);
		return part;
	};
	/** As a browser: its own page reads without an Origin, and changes things with one. */
	const fetch = async (path: string, { method = 'GET' } = {}) => {
		const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
		if (method !== 'GET') headers.origin = rig.gateway.url;
		if (cookie) headers.cookie = cookie;
		const { status, body } = await rig.call({ method, path, headers });
		return { ok: status === 200, status, text: async () => body };
	};
	const document = { getElementById: find, createElement: createPart };
	const script = (await rig.call({ path: '/page.js', headers: {} })).body;
	runInContext(script, createContext({ document, fetch, setTimeout: () => 0, clearTimeout: () => {} }));
	return {
		text: (id: string) => textOf(find(id)),
		click: (id: string) => find(id).clicked(),
		waitFor: (state: 'shown' | 'hidden') =>
			waitFor(() => (find('state').textContent !== '' && find('shown').hidden === (state === 'hidden') ? true : undefined), {
				what: `the page to be ${state}`,
				seen: () => find('state').textContent,
			}),
	};
}

function textOf(part: Part): string {
	return [part.textContent, ...part.parts.map(textOf)].filter((text) => text !== '').join('\n');
}
