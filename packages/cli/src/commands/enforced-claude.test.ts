// The real claude under `roost --enforce`: no setting of a repository or the user and no flag lets it act without a decision.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';
import { ALL_AT_ONCE, CHANGED_AFTER_APPROVAL, CLAUDE_ATTACKS, type ClaudeAttack } from '@roost/testkit/corpora/claude-attacks';
import { type Block, callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { type ClaudeRig, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import type { Exit } from '@roost/testkit/rigs/program';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { describe, expect, it } from 'vitest';

const SOAK = process.env.ROOST_SOAK === '1';

describe('enforced claude', () => {
	it('runs nothing that settings, hooks, skills, agents, servers and flags allow, and records each denial', async () => {
		await using world = await openAttackedClaude(ALL_AT_ONCE, { trusted: false });
		const exit = await world.attack('--enforce');
		expect(exit.stdout).toContain('Over.');
		expect(await world.ran()).toEqual([]);
		expect(exit.stderr).toContain('.claude/settings.json has hooks for');
		const asked = (await world.facts('permission.request')).map(({ data }) => data);
		expect(asked).toMatchObject(['Bash', 'Write', 'Bash', 'Bash'].map((tool_name) => ({ tool_name })));
		const decided = (await world.facts('permission.decision')).map(({ data }) => data);
		expect(decided).toMatchObject(asked.map(() => ({ decision_type: 'deny', decided_by: 'timeout' })));
		const listed = (await world.facts('notification')).map(({ data }) => data);
		const inSettings = {
			message: expect.stringMatching(/^\.claude\/settings\.json: .*hooks/),
			notification_type: 'repository_settings',
		};
		expect(listed).toContainEqual(expect.objectContaining(inSettings));
	});

	it('runs a call exactly as the rule allowed it, recorded once, despite other hooks', async () => {
		await using world = await openAttackedClaude(CHANGED_AFTER_APPROVAL);
		await world.roost('rules', 'add', 'allow', 'Bash', '--pattern', 'touch */seen', '--scope', 'user');
		await world.roost('rules', 'add', 'allow', 'mcp__evil__peek', '--scope', 'user');
		const exit = await world.attack('--enforce');
		expect(exit.stdout).toContain('Over.');
		expect(await world.ran()).toEqual(['mcp-tool', 'seen']);
		expect(exit.stderr).toContain('PreToolUse and PermissionRequest hooks of your settings have no effect');
		expect((await world.facts('permission.decision')).map(({ data }) => data)).toMatchObject([
			{ decision_type: 'allow', decided_by: 'rule' },
			{ decision_type: 'allow', decided_by: 'rule' },
		]);
		expect(await world.facts('permission.request')).toHaveLength(2);
		expect(JSON.stringify(world.claude.requests[0])).toContain('RULES OF THE HOUSE');
	});

	it.each(CLAUDE_ATTACKS.flatMap(({ refused, ...attack }) => (refused ? [{ ...attack, refused }] : [])).slice(0, SOAK ? 9 : 1))(
		'refuses to start with $name',
		async ({ refused, ...attack }) => {
			await using world = await openAttackedClaude(attack);
			expect(await world.attack('--enforce')).toMatchObject({ code: 2, stderr: expect.stringContaining(refused) });
		},
	);
});

/** Each attack alone, in a folder that Claude trusts and in one that it does not; takes about ten minutes. */
if (SOAK)
	describe('enforced claude under a single attack', () => {
		it.each(CLAUDE_ATTACKS.flatMap((attack) => [true, false].map((trusted) => ({ ...attack, trusted }))))(
			'runs nothing through $name (trusted folder: $trusted)',
			async ({ trusted, ...attack }) => {
				await using world = await openAttackedClaude(attack, { trusted });
				const exit = await world.attack('--enforce');
				expect(await world.ran()).toEqual([]);
				if (!attack.refused) expect(exit.stdout).toContain('Over.');
			},
		);

		it.each(CLAUDE_ATTACKS.filter(({ works }) => works !== false))(
			'is really attacked by $name without --enforce',
			async (attack) => {
				await using world = await openAttackedClaude(attack);
				await world.attack();
				expect(await world.ran()).not.toEqual([]);
			},
		);
	});

type AttackedClaude = AsyncDisposable & {
	readonly claude: ClaudeRig;
	readonly env: Readonly<Record<string, string>>;
	/** Runs a Roost command in the repository. */
	roost(...args: readonly string[]): Promise<Exit>;
	/** Runs the attack after these flags of Roost. */
	attack(...flags: readonly string[]): Promise<Exit>;
	/** The names of canaries and of new files in the repository. */
	ran(): Promise<string[]>;
	/** Every fact of that kind, in all sessions. */
	facts(kind: string): Promise<StoredLine['event'][]>;
};

/** Short, because no one answers; rules decide at once. */
const NOBODY_ANSWERS_MS = 300;

type AttackOptions = { trusted?: boolean; approvalTimeoutMs?: number };

/** `roost claude -p` in a repository that tries to run commands without approval; each command that runs leaves a canary. */
async function openAttackedClaude(attack: ClaudeAttack, options: AttackOptions = {}): Promise<AttackedClaude> {
	const { trusted = true, approvalTimeoutMs = NOBODY_ANSWERS_MS } = options;
	await using stack = new AsyncDisposableStack();
	const { script, fill } = scriptCalls(attack.calls);
	const claude = stack.use(await openClaudeRig({ script, env: attack.env ?? {} }));
	const canaries = join(claude.home, 'canaries');
	await mkdir(canaries);
	fill((text) => text.replaceAll('CANARY', canaries).replaceAll('PROJECT', claude.project));
	const filled = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('CANARY', canaries));
	await putFiles(claude.project, filled(attack.project ?? {}));
	await putFiles(claude.configDir, filled(attack.user ?? {}));
	if (!trusted) await forgetTrust(claude);
	const before = new Set(await readdir(claude.project));
	const { roost, roostEnv: env } = claude;
	await putFiles(env.ROOST_HOME ?? '', { 'config.yaml': { runner: { port: 0 }, sdk: { approvalTimeoutMs } } });
	const owned = stack.move();
	return {
		claude,
		env,
		roost,
		attack: (...flags) => roost(...flags, 'claude', '-p', attack.prompt ?? 'go', ...filled(attack.args ?? [])),
		async ran() {
			const appeared = (await readdir(claude.project)).filter((name) => !before.has(name));
			return [...(await readdir(canaries)), ...appeared].sort();
		},
		async facts(kind) {
			const sessions: { id: string }[] = JSON.parse((await roost('sessions', '--all', '--json')).stdout);
			const feeds = await Promise.all(sessions.map(({ id }) => roost('feed', id, '--kind', kind, '--json')));
			const lines = feeds.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== ''));
			return lines.map((line) => storedLine.parse(JSON.parse(line)).event);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const COMMAND_AND_FILE: readonly Block[] = [
	callTool('Bash', { command: 'touch CANARY/bash', description: 'x' }),
	callTool('Write', { file_path: 'PROJECT/written', content: 'x' }),
];

/** One call after the other, and one command in each subagent. */
function scriptCalls(calls: readonly Block[] = COMMAND_AND_FILE): { script: Script; fill(how: (text: string) => string): void } {
	let filled = (text: string) => text;
	const toBlock = (block: Block): Block => JSON.parse(filled(JSON.stringify(block)));
	return {
		fill(how) {
			filled = how;
		},
		script({ agent, messages }) {
			const done = messages.filter(({ role }) => role === 'assistant').length;
			const own = agent === 'main' ? calls[done] : done === 0 ? IN_SUBAGENT : undefined;
			return message([own ? toBlock(own) : say('Over.')]);
		},
	};
}

const IN_SUBAGENT = callTool('Bash', { command: 'touch CANARY/subagent', description: 'x' });

async function forgetTrust({ configDir }: ClaudeRig): Promise<void> {
	const path = join(configDir, '.claude.json');
	const { projects: _, ...config } = JSON.parse(await readFile(path, 'utf8'));
	await writeFile(path, JSON.stringify(config));
}
