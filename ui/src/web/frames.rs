//! Animation frames only while something may move. eframe asks the browser for the next frame for ever, needed or not,
//! and a webview that is asked sixty times a second never sleeps. So its request is kept back here while nothing happens
//! and let through after an event, after a word from [`wake`] and when the last pass wanted the next one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use egui::{Context, FullOutput, Plugin, ViewportId};
use js_sys::{Function, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AddEventListenerOptions, Event, EventTarget, Window};

/// Frames go on for so long after the last reason for one: eframe takes up to three from an event to its last paint.
const AWAKE_MS: f64 = 100.0;
/// One frame at least so often, whatever was not heard of.
const HEARTBEAT_MS: i32 = 1000;
/// A timer of a browser holds no more; later than a day is never.
const TIMER_MS_MAX: u128 = 86_400_000;
/// Everything that eframe listens to.
const EVENTS: [&str; 26] = [
    "beforeinput",
    "blur",
    "compositionend",
    "compositionstart",
    "compositionupdate",
    "copy",
    "cut",
    "dragleave",
    "dragover",
    "drop",
    "focus",
    "hashchange",
    "input",
    "keydown",
    "keyup",
    "paste",
    "pointercancel",
    "pointerdown",
    "pointerleave",
    "pointermove",
    "pointerup",
    "resize",
    "touchend",
    "touchmove",
    "touchstart",
    "wheel",
];

thread_local! {
    /// The page's one gate: egui's plugins may move between threads, a page's functions may not.
    static GATE: RefCell<Option<Rc<Gate>>> = const { RefCell::new(None) };
}

/// Puts the gate before the browser's animation frames. Where that cannot be done frames come as ever.
pub(super) fn gate(ctx: &Context) {
    let gate = install();
    if gate.is_some() {
        ctx.add_plugin(Frames);
    }
    GATE.set(gate);
}

/// Something came in from outside a pass: the window is painted.
pub(super) fn wake(ctx: &Context) {
    ctx.request_repaint();
    with_gate(Gate::wake);
}

fn with_gate(call: impl FnOnce(&Gate)) {
    if let Some(gate) = GATE.with_borrow(Clone::clone) {
        call(&gate);
    }
}

/// Hears from every pass when it wants the next one.
struct Frames;

impl Plugin for Frames {
    fn debug_name(&self) -> &'static str {
        "frames"
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        let next = output.viewport_output.get(&ViewportId::ROOT).map(|viewport| viewport.repaint_delay);
        if let Some(next) = next {
            with_gate(|gate| gate.wake_after(next));
        }
    }
}

struct Gate {
    window: Window,
    /// The browser's own `requestAnimationFrame`.
    request: Function,
    /// eframe's request that waits: its callback.
    parked: RefCell<Option<JsValue>>,
    /// In the time of `performance.now`, milliseconds.
    awake_until: Cell<f64>,
    timer: Cell<Option<i32>>,
    on_timer: RefCell<Option<Function>>,
}

impl Gate {
    fn now(&self) -> f64 {
        self.window.performance().map_or(0.0, |clock| clock.now())
    }

    fn ask(&self, callback: &JsValue) -> JsValue {
        self.request.call1(&self.window, callback).unwrap_or(JsValue::NULL)
    }

    /// eframe asks for a frame.
    fn asked(&self, callback: JsValue) -> JsValue {
        if self.now() < self.awake_until.get() {
            return self.ask(&callback);
        }
        self.parked.replace(Some(callback));
        0.into()
    }

    fn let_through(&self) {
        let parked = self.parked.take();
        if let Some(callback) = parked {
            self.ask(&callback);
        }
    }

    fn wake(&self) {
        self.awake_until.set(self.now() + AWAKE_MS);
        self.let_through();
    }

    fn wake_after(&self, delay: Duration) {
        if let Some(timer) = self.timer.take() {
            self.window.clear_timeout_with_handle(timer);
        }
        if delay.is_zero() {
            return self.wake();
        }
        let delay = delay.as_micros().div_ceil(1000);
        if delay > TIMER_MS_MAX {
            return;
        }
        let on_timer = self.on_timer.borrow();
        let set = on_timer.as_ref().and_then(|woken| {
            self.window.set_timeout_with_callback_and_timeout_and_arguments_0(woken, delay as i32).ok()
        });
        self.timer.set(set);
    }
}

fn install() -> Option<Rc<Gate>> {
    let window = web_sys::window()?;
    let name = JsValue::from("requestAnimationFrame");
    let request: Function = Reflect::get(&window, &name).ok()?.dyn_into().ok()?;
    let gate = Rc::new(Gate {
        window: window.clone(),
        request,
        parked: RefCell::default(),
        awake_until: Cell::new(f64::INFINITY),
        timer: Cell::new(None),
        on_timer: RefCell::default(),
    });
    gate.on_timer.replace(Some(function(&gate, |gate| gate.wake())?));
    let (asked, heartbeat) = (Rc::clone(&gate), function(&gate, |gate| gate.let_through())?);
    let asked = Closure::<dyn Fn(JsValue) -> JsValue>::new(move |callback| asked.asked(callback));
    window.set_interval_with_callback_and_timeout_and_arguments_0(&heartbeat, HEARTBEAT_MS).ok()?;
    listen(&window, &gate)?;
    Reflect::set(&window, &name, &asked.into_js_value()).ok()?;
    gate.wake();
    Some(gate)
}

fn function(gate: &Rc<Gate>, call: impl Fn(&Gate) + 'static) -> Option<Function> {
    let gate = Rc::clone(gate);
    Closure::<dyn Fn()>::new(move || call(&gate)).into_js_value().dyn_into().ok()
}

fn listen(target: &EventTarget, gate: &Rc<Gate>) -> Option<()> {
    let options = AddEventListenerOptions::new();
    options.set_capture(true);
    options.set_passive(true);
    let gate = Rc::clone(gate);
    let heard = Closure::<dyn Fn(Event)>::new(move |_| gate.wake()).into_js_value();
    let heard: &Function = heard.dyn_ref()?;
    for name in EVENTS {
        target.add_event_listener_with_callback_and_add_event_listener_options(name, heard, &options).ok()?;
    }
    Some(())
}
