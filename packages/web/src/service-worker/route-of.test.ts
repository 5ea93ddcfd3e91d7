import { contract } from '@roost/protocol/contract/contract';
import { expect, it } from 'vitest';
import { routeOf } from './route-of.ts';

const ORIGIN = 'https://roost.example';
const FILES = ['/', '/icon.svg', '/assets/index-a1.js'];

function route(path: string, over: Partial<Pick<Request, 'method' | 'mode'>> = {}) {
	return routeOf({ method: 'GET', mode: 'cors', url: new URL(path, ORIGIN).href, ...over }, ORIGIN, FILES);
}

it.each(['/', '/board', '/s/k3f9/e/7', '/?ask=s1.1', '/index.html', '/apiary'])(
	'serves the shell for the document %s',
	(path) => {
		expect(route(path, { mode: 'navigate' })).toBe('shell');
	},
);

it.each(['/assets/board-b2.js', '/assets/index-a1.js', '/icon.svg'])('serves %s from the build', (path) => {
	expect(route(path)).toBe('file');
});

it('answers no operation of the API, in any way that a page can request it', () => {
	const operations = Object.values(contract).flatMap((resource) => Object.values(resource));
	expect(operations.length).toBeGreaterThan(50);
	for (const { path, method } of operations) {
		for (const mode of ['cors', 'navigate', 'same-origin', 'no-cors'] as const) {
			expect.soft(route(path, { mode, method }), `${mode} ${method} ${path}`).toBe('network');
			expect.soft(route(path, { mode }), `${mode} GET ${path}`).toBe('network');
		}
	}
});

it.each(['/sw.js', '/api', '/unknown.txt', 'https://evil.example/assets/x.js'])('leaves %s to the network', (path) => {
	expect(route(path)).toBe('network');
});

it('leaves everything that is no read to the network', () => {
	expect(route('/', { method: 'POST', mode: 'navigate' })).toBe('network');
});
