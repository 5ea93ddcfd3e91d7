// The entry point: runs the command that was typed.
import { restore } from '@roost/core/process/loader-variables';
import { CommanderError } from 'commander';
import { EXIT, expectLeavingReader, failUsage } from './output/exit.ts';
import { createProgram } from './program.ts';

restore(process.env);
expectLeavingReader();

try {
	await createProgram(process.argv[2] ?? '').parseAsync();
} catch (error) {
	if (!(error instanceof CommanderError)) throw error;
	process.exitCode = error.exitCode === 0 ? EXIT.ok : failUsage(error, process.argv.includes('--json'));
}
