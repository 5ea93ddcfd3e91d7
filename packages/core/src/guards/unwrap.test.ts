import { describe, expect, it } from 'vitest';
import { judgeLine } from './judge-line.ts';

const WHO = { writes: true, agentName: 'bee', worktreePath: '/home/dev/tree', gates: [] };
const isAllowed = (line: string) => judgeLine(line, WHO).allowed;

describe('wrapper command', () => {
	it.each([
		'taskset 1 git push',
		'chrt 1 git push',
		'caffeinate git push',
		'fd -x git push',
		'fd -xgit push',
		'npm --silent exec git push',
		'pnpx git push',
		'mise exec node@24 -- git push',
		'bundle exec git push',
		'pipx run git push',
		'watch git push',
		'lldb x',
	])('is denied with the command it runs: %j', (line) => {
		expect(isAllowed(line)).toBe(false);
	});

	it.each([
		'fd -t f a',
		'npm --silent run build',
		'npm exec vitest run',
		'bundle exec rspec',
		'bundle install',
		'source .venv/bin/activate',
		'uv sync',
		'uv run pytest',
	])('is allowed with the command it runs: %j', (line) => {
		expect(isAllowed(line), line).toBe(true);
	});
});
