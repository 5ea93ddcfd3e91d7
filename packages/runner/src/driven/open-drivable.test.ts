import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parrotKind } from '@roost/agents/example/parrot-kind';
import type { AgentKind } from '@roost/agents/kind/agent-kind';
import { loadConfig } from '@roost/home/config/load-config';
import { createMemoryMcpTrust } from '@roost/testkit/rigs/api/memory-parts';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openDrivable } from './open-drivable.ts';

describe('agents that a runner can start', () => {
	it('are found only by known names', async () => {
		await using world = await openWorld('');
		expect([...world.drivable.keys()]).toContain('claude');
		for (const name of world.drivable.keys()) expect(world.drivable.get(name)?.capabilities.takesPrompts).toBe(true);
		for (const name of ['nobody', '', '__proto__', 'constructor']) expect(world.drivable.get(name)).toBeUndefined();
	});

	it('include those configured under another name, or named by their command', async () => {
		await using world = await openWorld('agents:\n  gemini:\n    command: [my-claude, --acp]\n');
		const request = { cwd: world.path, gate: 'enforce' } as const;
		expect([...world.drivable.keys()]).toContain('gemini');
		expect(world.drivable.get('gemini')?.refuse(request)).toContain('agents.gemini.command names my-claude');
		expect(world.drivable.get('acp:my-claude --acp')?.refuse(request)).toContain('my-claude is not on your PATH');
		await writeFile(world.program, '#!/bin/sh\n', { mode: 0o755 });
		for (const name of ['gemini', 'acp:my-claude   --acp']) expect(world.drivable.get(name)?.refuse(request)).toBeNull();
		expect(world.drivable.get('acp:my-claude   --acp')?.capabilities.agent).toBe('acp:my-claude --acp');
	});

	it('include any registered kind, with its configuration', async () => {
		await using world = await openWorld('agents:\n  parrot:\n    command: my-parrot\n', [parrotKind]);
		expect([...world.drivable.keys()]).toEqual(['parrot']);
		const parrot = world.drivable.get('parrot');
		expect(parrot?.capabilities.agent).toBe('parrot');
		expect(parrot?.refuse({ cwd: world.path, gate: 'enforce' })).toContain('agents.parrot.command names my-parrot');
	});

	it('are cached, and updated when their program appears or disappears', async () => {
		await using world = await openWorld('agents:\n  claude:\n    command: my-claude\n');
		const request = { cwd: world.path, gate: 'enforce' } as const;
		const before = world.drivable.get('claude');
		expect(before?.refuse(request)).toContain('agents.claude.command names my-claude');
		expect(world.drivable.get('claude')).toBe(before);
		await writeFile(world.program, '#!/bin/sh\n');
		await chmod(world.program, 0o755);
		expect(world.drivable.get('claude')?.refuse(request)).toBeNull();
		await rm(world.program);
		expect(world.drivable.get('claude')?.refuse(request)).toContain('my-claude');
	});
});

async function openWorld(yaml: string, kinds?: readonly AgentKind[]) {
	const temp = await createTempDir();
	const bin = join(temp.path, 'bin');
	await mkdir(bin);
	await writeFile(join(temp.path, 'config.yaml'), yaml, { mode: 0o600 });
	const env = { PATH: bin, HOME: temp.path, ROOST_HOME: temp.path };
	const config = unwrap(loadConfig({ env }));
	return {
		path: temp.path,
		program: join(bin, 'my-claude'),
		drivable: openDrivable({ env, config, mcpTrust: createMemoryMcpTrust(), runDir: temp.path, kinds }),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
