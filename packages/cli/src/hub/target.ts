// Which runner the commands of this process act on: the own one, or one behind the hub that `--hub` names.

export type Target = { hub: string; runner: string | undefined };

let target: Target | undefined;

/** Set once, from the options of `roost` itself, before the command runs. */
export function setTarget(options: { hub?: string | undefined; runner?: string | undefined }): void {
	target = options.hub === undefined ? undefined : { hub: options.hub, runner: options.runner };
}

export function currentTarget(): Target | undefined {
	return target;
}

/** The hub of `--hub`, where no `--runner` names one of its runners. */
export function hubOfAllRunners(): string | undefined {
	return target?.runner === undefined ? target?.hub : undefined;
}

/** The runner of what the command has found, for the rest of the command. */
export function chooseRunner(runner: string): void {
	if (target) target = { ...target, runner };
}
