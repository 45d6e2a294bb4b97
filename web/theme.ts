// The theme of the component library. Colors with a meaning (buy, sell, panel) are in base.css.
import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { common } from './messages/common.ts';

const brand: MantineColorsTuple = [
  '#eeeeff',
  '#dcdcfe',
  '#b7b6fb',
  '#918ff8',
  '#7370f5',
  '#605cf3',
  '#5551e8',
  '#4642cf',
  '#3b38b9',
  '#2f2ca3',
];

/** Neutral with a little blue, from text (0) to the page background (9). */
const dark: MantineColorsTuple = [
  '#d5dae3',
  '#b4bbc8',
  '#929bab',
  '#6b7485',
  '#3a4250',
  '#2a313d',
  '#1c222c',
  '#151a22',
  '#10141b',
  '#0b0e13',
];

export const theme = createTheme({
  colors: { brand, dark },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 5 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '650' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    CloseButton: { defaultProps: { 'aria-label': common.close } },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    TextInput: { defaultProps: { size: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 7, horizontalSpacing: 'sm' } },
    // A banner is the header of a page, not of a dialog.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.6, blur: 2 } } },
  },
});
