// A button that answers: only a press that began while it was on counts. Off, it keeps the focus.
import { type ButtonHTMLAttributes, useRef } from 'react';

type GuardedButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'onClick' | 'onPointerDown'> & {
	isOff: boolean;
	onPress: () => void;
};

export function GuardedButton({ isOff, onPress, type = 'button', ...rest }: GuardedButtonProps) {
	const isPressed = useRef(false);
	return (
		<button
			{...rest}
			type={type}
			aria-disabled={isOff}
			onPointerDown={() => {
				isPressed.current = !isOff;
			}}
			onClick={(event) => {
				// The form is not submitted by the button itself.
				event.preventDefault();
				// A keyboard presses without a pointer.
				const counts = event.detail === 0 || isPressed.current;
				isPressed.current = false;
				if (counts && !isOff) onPress();
			}}
		/>
	);
}
