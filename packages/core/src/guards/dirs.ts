// The folders a command may run in, as far as `cd` before it tells; seen from where the line starts.
import { type Form, fixed, fixedValue, type GuardWord, open } from './guard-word.ts';

/** Empty where it is never reached. */
export type Dirs = readonly Form[];

/** Where one is after a command that went well, and after one that did not. */
export type Way = { yes: Dirs; no: Dirs };

export const START: Dirs = [fixed('')];
const SOMEWHERE = open('');
const MAX_DIRS = 16;

export function always(dirs: Dirs): Way {
	return { yes: dirs, no: dirs };
}

export function union(left: Dirs, right: Dirs): Dirs {
	if (left === right) return left;
	const more = right.filter((form) => !left.some((each) => each.value === form.value && each.sure === form.sure));
	if (more.length === 0) return left;
	return left.length + more.length > MAX_DIRS ? [SOMEWHERE] : [...left, ...more];
}

/** Where a command leaves the shell. */
export function moveTo(name: string, args: readonly GuardWord[], dirs: Dirs): Way {
	switch (name) {
		case 'cd':
		case 'pushd':
			return { yes: enter(args, dirs), no: dirs };
		case 'popd':
			return { yes: [SOMEWHERE], no: dirs };
		case 'exit':
			return { yes: [], no: [] };
		case 'true':
		case ':':
			return { yes: dirs, no: [] };
		case 'false':
			return { yes: [], no: dirs };
		default:
			return always(dirs);
	}
}

function enter(args: readonly GuardWord[], dirs: Dirs): Dirs {
	const [target, ...more] = args.filter((word) => !/^-[LPe@-]*$/.test(fixedValue(word) ?? '') || fixedValue(word) === '-');
	if (target === undefined || more.length > 0 || fixedValue(target) === '-') return [SOMEWHERE];
	return dirs.flatMap((dir) => target.forms.map((form) => below(dir, form))).reduce<Dirs>((all, form) => union(all, [form]), []);
}

/** A path as it is seen from where the line starts. */
export function below(dir: Form, path: Form): Form {
	if (path.sure === 'fixed' && path.value.startsWith('/')) return path;
	if (dir.sure === 'open' || path.sure === 'open' || path.sure === 'job') return SOMEWHERE;
	if (path.value.startsWith('/')) return path;
	const sure = dir.sure === 'glob' || path.sure === 'glob' ? 'glob' : 'fixed';
	return { value: dir.value === '' ? path.value : `${dir.value}/${path.value}`, sure };
}
