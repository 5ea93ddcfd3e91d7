import { describe, expect, it } from 'vitest';
import { coversLine } from '../rules/shell-cover.ts';
import { simpleCommands } from '../shell/simple-commands.ts';
import { ACTING } from './acting-table.ts';

const covers = (rule: string, line: string) => coversLine(rule, simpleCommands(line), line);
const OPTIONS = [...ACTING].flatMap(([name, rule]) => {
	const { runs = [], loads = [], code = [], writes = [], makes = [] } = rule;
	return [...runs, ...loads, ...code, ...writes, ...makes]
		.filter((option) => option.startsWith('-'))
		.map((option) => ({ name, option, rule }));
});

describe('options in the table of acting options', () => {
	it('number more than 250', () => {
		expect(OPTIONS.length).toBeGreaterThan(250);
	});

	it('are not covered by an allow rule for the command, in any spelling', () => {
		const allowed = OPTIONS.flatMap(({ name, option }) =>
			[
				`${name} ${option} p`,
				`${name} a ${option} v b`,
				`${name} "${option}" x`,
				`${name} ${option[0]}''${option.slice(1)} p`,
				`${name} ${option.slice(0, 1)}\\${option.slice(1)} x`,
				`${name} {${option},x}`,
				`${name} ${option.slice(0, -1)}{${option.at(-1)},${option.at(-1)}} x`,
				`${name} "$x" ${option} p`,
				...(option.startsWith('--') ? [`${name} ${option}=x`] : []),
				...(/^-\w$/.test(option) && name !== 'npm' ? [`${name} ${option}x`] : []),
			].filter((line) => covers(`${name} *`, line)),
		);
		expect(allowed).toEqual([]);
	});

	it('are covered by an allow rule that names them', () => {
		const asked = OPTIONS.filter(({ name, option }) => !covers(`${name} ${option} *`, `${name} ${option} p`));
		expect(asked).toEqual([]);
	});

	it('are not covered by an expansion that could produce them, unless they exist only on other systems', () => {
		for (const { name, rule } of OPTIONS)
			for (const word of ['$x', '"$x"', '$(x)', `\${x:-y}`, '*', '*.ts', '?x'])
				expect(covers(`${name} *`, word === '$(x)' ? `${name} $(${name} a)` : `${name} ${word}`), `${name} ${word}`).toBe(
					rule.elsewhere ?? false,
				);
	});
});
