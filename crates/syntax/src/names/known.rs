//! Names that are there without a definition: of the languages themselves and of their usual surroundings.

/// Python, with what Python 2, notebooks, gettext and type checkers bring.
pub(super) const PYTHON: &str = "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile \
    complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr \
    hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow \
    print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip \
    True False None Ellipsis NotImplemented _ \
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError \
    BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError \
    DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError \
    FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError \
    IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError \
    NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError \
    RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError \
    SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError \
    UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError \
    unicode basestring long xrange raw_input unichr reduce file cmp execfile reload buffer intern apply coerce \
    reveal_type reveal_locals get_ipython display get_config ngettext gettext";

/// Functions of JavaScript, browsers, Node and the usual test programs.
pub(super) const JAVASCRIPT: &str = "parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent escape \
    unescape eval require define importScripts fetch structuredClone queueMicrotask reportError btoa atob \
    setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate requestAnimationFrame cancelAnimationFrame \
    requestIdleCallback cancelIdleCallback alert confirm prompt print open close stop focus blur find scroll scrollTo scrollBy \
    moveTo moveBy resizeTo resizeBy postMessage getComputedStyle getSelection matchMedia createImageBitmap addEventListener \
    removeEventListener dispatchEvent showOpenFilePicker showSaveFilePicker showDirectoryPicker skipWaiting registerProcessor \
    super import gc jQuery undefined arguments \
    describe context suite it test specify step before after beforeEach afterEach beforeAll afterAll setup teardown suiteSetup \
    suiteTeardown expect expectTypeOf assertType assert should fail pending xit fit xtest xdescribe fdescribe xcontext bench jest vi \
    vitest jasmine spyOn spyOnProperty cy page browser element by device inject module angular expectAsync onTestFinished \
    onTestFailed gtag ga fbq grecaptcha turnstile defineProps defineEmits defineExpose defineOptions defineSlots defineModel withDefaults defineNuxtConfig \
    Boolean Number String Symbol BigInt Object Array Function Date Error RegExp Map Set WeakMap WeakSet Promise Proxy URL React";

/// Functions and types of Go itself.
pub(super) const GO: &str = "append cap clear close complex copy delete imag len make max min new panic print println real recover \
    bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 \
    uint64 uintptr any init main";

/// Packages of Go's standard library that files are likely to use and whose names are seldom those of variables.
pub(super) const GO_PACKAGES: &str = "bufio bytes errors fmt filepath ioutil json http httptest regexp sort strconv strings sync atomic \
    time unicode utf8 maps slices os exec rand";

/// The prelude of Rust, what derives and the language bring, and macros that are written like functions.
pub(super) const RUST: &str = "Some None Ok Err Box Vec String Option Result ToString ToOwned Clone Copy Send Sync Sized Drop Fn FnMut \
    FnOnce AsRef AsMut Into From TryFrom TryInto Default Iterator IntoIterator Extend DoubleEndedIterator ExactSizeIterator FromIterator \
    PartialEq Eq PartialOrd Ord Unpin Self drop size_of size_of_val align_of align_of_val AsyncFn AsyncFnMut AsyncFnOnce Debug Hash \
    Future IntoFuture self super crate";
