// The operator console: its login, and behind it the area that the address names.
import { operatorToken } from '../session/operator.ts';
import { Console } from './console.tsx';
import { OperatorLogin } from './login.tsx';

export default function OperatorPage() {
  return operatorToken.use() === null ? <OperatorLogin /> : <Console />;
}
