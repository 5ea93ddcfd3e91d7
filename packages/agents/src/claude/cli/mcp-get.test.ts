import { readCliSample } from '@roost/testkit/samples/claude-cli-samples';
import { describe, expect, it } from 'vitest';
import { parseServerDetail } from './cli-output.ts';

describe('MCP server details', () => {
	it('list environment variables by name only', () => {
		const detail = parseServerDetail('labsrv', readCliSample('mcp-get-env').stdout);
		expect(detail).toEqual({
			name: 'labsrv',
			scope: 'Local config (private to you in this project)',
			transport: 'stdio',
			target: 'node /home/dev/lab/mcp.mjs --flag',
			status: 'connected',
			says: '✔ Connected',
			env: ['KEY', 'OTHER'],
			headers: [],
			unread: '',
		});
	});

	it('list headers by name only', () => {
		const detail = parseServerDetail('labhttp', readCliSample('mcp-get-headers').stdout);
		expect(detail).toMatchObject({ transport: 'http', target: 'http://127.0.0.1:8999/open', headers: ['X-Api-Key', 'X-Team'] });
		expect(JSON.stringify(detail)).not.toMatch(/secretheader|plainvalue/);
	});

	it.each([
		['mcp-get-login', 'labauth', 'needs_login', '! Needs authentication'],
		['mcp-get-pending', 'labproj', 'needs_approval', '⏸ Pending approval (run `claude` to approve)'],
		['mcp-get', 'labsrv', 'connected', '✔ Connected'],
	])('%s', (sample, name, status, says) => {
		expect(parseServerDetail(name, readCliSample(sample).stdout)).toMatchObject({ status, says, unread: '' });
	});

	it('include the reason for a failed connection', () => {
		expect(parseServerDetail('labbroken', readCliSample('mcp-get-failed').stdout)).toMatchObject({
			status: 'failed',
			says: expect.stringMatching(/^✘ Failed to connect — ENOENT/),
		});
	});

	it('leak no line of a multi-line value', () => {
		const text =
			'x:\n  Type: stdio\n  Environment:\n    PEM=-----BEGIN\nc2VjcmV0\n  Password: hunter2\n\nTo remove this server, run: y';
		const detail = parseServerDetail('x', text);
		expect(detail.env).toEqual(['PEM']);
		expect(JSON.stringify(detail)).not.toMatch(/c2VjcmV0|hunter2|BEGIN/);
	});

	it('keep unrecognized lines', () => {
		expect(parseServerDetail('x', 'x:\n  Mood: good\n  Type: quantum\nBye')).toMatchObject({
			transport: 'unknown',
			status: 'unknown',
			unread: '  Mood: good\nBye',
		});
	});
});
