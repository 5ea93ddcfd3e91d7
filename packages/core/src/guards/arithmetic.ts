// Arithmetic: a shell evaluates the value of a name as an expression, and runs substitutions in it.
import type { ArithmeticExpression, TestExpression } from 'unbash';
import { fixedValue, isNumber, knownOf, NUMBER, PRINTS_NUMBERS, toGuardWord, type Variables } from '../shell/guard-word.ts';

/** Whether it holds only numbers and variables with a number; variables that it assigns are numbers afterwards. */
export function isPlainArithmetic(expression: ArithmeticExpression | undefined, variables: Variables): boolean {
	switch (expression?.type) {
		case 'ArithmeticWord':
			return isPlainWord(expression.value, variables);
		case 'ArithmeticGroup':
			return isPlainArithmetic(expression.expression, variables);
		case 'ArithmeticUnary':
			if (!isPlainArithmetic(expression.operand, variables)) return false;
			if (expression.operator === '++' || expression.operator === '--') assign(expression.operand, variables);
			return true;
		case 'ArithmeticBinary':
			if (![expression.left, expression.right].every((each) => isPlainArithmetic(each, variables))) return false;
			if (isAssignment(expression.operator)) assign(expression.left, variables);
			return true;
		case 'ArithmeticTernary':
			return [expression.test, expression.consequent, expression.alternate].every((each) => isPlainArithmetic(each, variables));
		case 'ArithmeticCommandExpansion':
			return PRINTS_NUMBERS.test(expression.text);
		default:
			return false;
	}
}

/** The same for an expression that is certainly evaluated, so that a variable may get its first number: `i=0`. */
export function isPlainStatement(expression: ArithmeticExpression | undefined, variables: Variables): boolean {
	if (expression?.type !== 'ArithmeticBinary' || expression.operator !== '=') return isPlainArithmetic(expression, variables);
	const name = nameIn(expression.left);
	if (name === undefined || !isPlainArithmetic(expression.right, variables)) return false;
	variables.set(name, NUMBER);
	return true;
}

export function isAssignment(operator: string): boolean {
	return /^(?:[-+*/%&|^]|<<|>>)?=$/.test(operator);
}

/** The name in a place where a number is assigned to one. */
export function nameIn(expression: ArithmeticExpression): string | undefined {
	return expression.type === 'ArithmeticWord' && NAME.test(expression.value) ? expression.value : undefined;
}

const NAME = /^[A-Za-z_]\w*$/;

function assign(target: ArithmeticExpression, variables: Variables): void {
	const name = nameIn(target);
	if (name !== undefined) variables.set(name, NUMBER);
}

function isPlainWord(value: string, variables: Variables): boolean {
	if (/^(?:\d+|0[xX][\da-fA-F]+|\$[?#$!])$/.test(value)) return true;
	const name = /^\$?([A-Za-z_]\w*)$/.exec(value)?.[1] ?? /^\$\{([A-Za-z_]\w*)\}$/.exec(value)?.[1];
	return name !== undefined && isNumber(knownOf(name, variables));
}

/** Why a `[[ … ]]` may run something: numeric comparisons and subscripts are evaluated. */
export function whyNotTest(test: TestExpression, variables: Variables): string | undefined {
	switch (test.type) {
		case 'TestUnary': {
			const named = /^-[vR]$/.test(test.operator) && !NAME.test(fixedValue(toGuardWord(test.operand, variables)) ?? '');
			return named ? 'an argument is evaluated as a subscript' : undefined;
		}
		case 'TestBinary': {
			if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(test.operator)) return undefined;
			const other = [test.left, test.right].find((word) => {
				const { forms } = toGuardWord(word, variables);
				return !isNumber(forms) && !forms.every(({ value, sure }) => sure === 'fixed' && isPlainWord(value, variables));
			});
			return other && `[[ ]] evaluates ${other.text} as arithmetic: compare it with [ "…" ${test.operator} … ]`;
		}
		case 'TestLogical':
			return test.operands.map((each) => whyNotTest(each, variables)).find((why) => why !== undefined);
		case 'TestNot':
			return whyNotTest(test.operand, variables);
		case 'TestGroup':
			return whyNotTest(test.expression, variables);
	}
}
