// `roost claude -p` in a repository that tries to run commands without approval: nobody answers, and each command that runs leaves a canary.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';
import type { ClaudeAttack } from '../../corpora/claude-attacks.ts';
import { type Block, callTool, message, say } from '../../fakes/model-reply.ts';
import type { Script } from '../../fakes/script.ts';
import type { Exit } from '../program.ts';
import { putFiles } from '../put-files.ts';
import { type ClaudeRig, openClaudeRig } from './claude-rig.ts';

export type AttackedClaude = AsyncDisposable & {
	readonly claude: ClaudeRig;
	readonly env: Readonly<Record<string, string>>;
	/** One command of Roost, in the repository. */
	roost(...args: readonly string[]): Promise<Exit>;
	/** The attack itself, after these flags of Roost. */
	attack(...flags: readonly string[]): Promise<Exit>;
	/** The names of canaries and of new files in the repository. */
	ran(): Promise<string[]>;
	/** Every fact of that kind, in all sessions. */
	facts(kind: string): Promise<StoredLine['event'][]>;
};

/** Short, because nobody answers; rules decide at once. */
const NOBODY_ANSWERS_MS = 300;

export type AttackOptions = { trusted?: boolean; approvalTimeoutMs?: number };

export async function openAttackedClaude(attack: ClaudeAttack, options: AttackOptions = {}): Promise<AttackedClaude> {
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

/** One call after the other, and one command in every subagent. */
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
