# A client of the spec alone: the standard library, floats, and the headers of the spec.
import hashlib, hmac, json, sys, time, urllib.error, urllib.request

base_url, api_key, secret_key = sys.argv[1:]
PATH = '/spot-api/api/private/v1/order'
last = 0


def post(order):
    global last
    last = max(int(time.time() * 1000), last + 1)
    body = json.dumps(order)
    signed = str(last) + 'POST' + PATH + body
    request = urllib.request.Request(base_url + PATH, body.encode(), {
        'Content-Type': 'application/json',
        'EXCHANGE-API-KEY': api_key,
        'EXCHANGE-API-TIMESTAMP': str(last),
        'EXCHANGE-API-SIGN': hmac.new(secret_key.encode(), signed.encode(), hashlib.sha256).hexdigest(),
    })
    try:
        with urllib.request.urlopen(request) as answer:
            return body, answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return body, error.code, error.read().decode()


# Typed clients send every field of the order, with None for what they do not mean.
REST = {'clOrdId': '', 'quoteOrderQty': None, 'execInst': None, 'timeInForce': '1', 'stopPx': None}
orders = [
    {'symbol': 'BTC-MMX', 'side': 1, 'ordType': 2, 'price': float(price), 'orderQty': quantity}
    for price, quantity in [(1, 1e-05), (1e5, 1.5e-07), (3, 1e-08), (12, 2.0), (7, 0.0001)]
] + [
    {'symbol': 'MMX-BTC', 'side': 1.0, 'ordType': 2.0, 'price': 1e-08, 'orderQty': 1e10 / 1e4},
    {'symbol': 'MMX-BTC', 'side': 1, 'ordType': 2, 'price': 2.5e-07, 'orderQty': 40.0, 'account': 1},
]
for order in orders:
    print(json.dumps(post({**REST, **order})))
