//! The same window as a native program that reads a server's frames from its caller: for demonstrations only. Without
//! frames it shows the empty window.

use ui::App;
use ui::platform::Plain;
use ui::transport::Queue;

struct Native(App);

impl eframe::App for Native {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.0.show(ui);
    }
}

fn main() -> eframe::Result {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size([1440.0, 900.0]),
        ..Default::default()
    };
    let app = App::new(Box::new(Queue::new()), Box::new(Plain::default()));
    eframe::run_native("Holdpoint", options, Box::new(|_| Ok(Box::new(Native(app)))))
}
