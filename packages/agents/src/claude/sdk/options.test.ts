import type { DrivenRequest } from '@roost/core/runtime/connection';
import { describe, expect, it } from 'vitest';
import { refuseRequest, toOptions } from './options.ts';
import { mayBypass } from './permission-modes.ts';

const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const settings = { env: { PATH: '/bin' }, mcpConfigPath: '/private/servers.json', settingSources: [], bypassable: false };
const options = (request: Partial<DrivenRequest> = {}, bypassable = false) =>
	toOptions({ cwd: '/project', gate: 'enforce', ...request }, { ...settings, bypassable }, 'Mind the rules.', UUID);

describe('driven Claude', () => {
	it('gets only the given environment and servers, no settings, and its own prompt plus instructions', () => {
		expect(options()).toMatchObject({
			cwd: '/project',
			env: { PATH: '/bin' },
			settingSources: [],
			strictMcpConfig: true,
			extraArgs: { 'mcp-config': '/private/servers.json' },
			systemPrompt: { preset: 'claude_code', append: 'Mind the rules.' },
			permissionMode: 'default',
			sessionId: UUID,
		});
		expect(options()).not.toHaveProperty('mcpServers');
	});

	it('is limited to the allowed tools and questions, without pre-approving any tool', () => {
		expect(options().tools).toBeUndefined();
		expect(options({ allowedTools: ['Read', 'Read'] }).tools).toEqual(['Read', 'AskUserQuestion']);
		expect(options({ allowedTools: ['Read'] })).not.toHaveProperty('allowedTools');
	});

	it.each([
		['dontAsk', { permissionMode: 'default' }],
		['acceptEdits', { permissionMode: 'acceptEdits' }],
		['plan', { permissionMode: 'plan', settings: { useAutoModeDuringPlan: false } }],
		['bypassPermissions', { extraArgs: { 'permission-mode': 'bypassPermissions' }, allowDangerouslySkipPermissions: true }],
	])('maps mode %s to %j', (permissionMode, expected) => {
		expect(options({ permissionMode }, true)).toMatchObject(expected);
	});

	it('allows bypassing permissions only if Claude would accept that mode', () => {
		expect(options({})).not.toHaveProperty('allowDangerouslySkipPermissions');
		expect([mayBypass({}, true), mayBypass({ IS_SANDBOX: '1' }, true), mayBypass({}, false)]).toEqual([false, true, true]);
	});

	it('resumes a conversation or a fork of it up to a message', () => {
		expect(options({ resume: { nativeId: UUID, fork: false } })).not.toHaveProperty('sessionId');
		expect(options({ resume: { nativeId: UUID, fork: true, upTo: UUID } })).toMatchObject({
			resume: UUID,
			forkSession: true,
			sessionId: UUID,
			resumeSessionAt: UUID,
		});
	});

	it('rejects resuming at an earlier message without a fork', () => {
		const request = { cwd: '/', gate: 'enforce', resume: { nativeId: UUID, fork: false, upTo: UUID } } as const;
		expect(refuseRequest(request, settings)).toContain('Only a fork');
		expect(refuseRequest({ ...request, resume: { ...request.resume, fork: true } }, settings)).toBeNull();
	});
});
